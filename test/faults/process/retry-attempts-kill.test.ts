import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { mastercardRetry } from "../../support/people/client-requests.js";
import { createKey, createWorkspace, publish } from "../../support/people/tenants.js";
import { send, sendRead, startTestService, type RunningService } from "../../support/service/service.js";

const RULE = { name: "within", then: { type: "retry_within_scheme_rules" } } as const;
/** Mastercard allows ten attempts of an order in 24 hours. */
const MOST = 10;
const ORDERS = 30;
const KILLS = 3;

let service: RunningService;
let key: string;
before(async () => {
  service = await startTestService({
    DECISION_WORKERS: "2",
    RATE_LIMIT_PER_MINUTE: "0",
    PROBE_INTERVAL_MS: "0",
  });
  const workspaceId = await createWorkspace(service, { merchants: ["shop"] });
  key = await createKey(service.pool, workspaceId);
  await publish(service, { workspaceId, merchantId: "shop", key, rules: [RULE] });
});

/** Returns the action. Returns null if a kill ended the request, or if the answer was not 200. */
async function retried(order: number): Promise<string | null> {
  const body = mastercardRetry("shop", `killed_${order}`, "02");
  try {
    const { status, json } = await send(service, "POST", "/v1/decision", { body, key });
    return status === 200 ? String(json["action"]) : null;
  } catch {
    return null;
  }
}

describe("attempts of orders across kill -9", () => {
  it("RTRY-14: no order has more attempts than its limit, and every acknowledged one counts", async () => {
    const retries = Array<number>(ORDERS).fill(0);
    const ask = async (): Promise<void> => {
      await Promise.all(
        retries.map(async (_, order) => {
          if ((await retried(order)) === "retry") retries[order] = (retries[order] as number) + 1;
        }),
      );
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const asked = [ask(), ask(), ask()];
      await asked[0];
      await service.killAndRestart();
      await Promise.all(asked);
    }
    for (let i = 0; i <= MOST; i++) await ask();
    for (const [order, count] of retries.entries()) {
      assert.equal(await retried(order), "block");
      // A decision that was committed but not answered is an attempt too.
      assert.ok(count <= MOST, `order ${order} has ${count}`);
      const query = `?order_id=killed_${order}&action=retry&page_size=100`;
      const { json } = await sendRead(service, "GET", `/v1/decisions${query}`, { key });
      assert.equal(json["total"], MOST, `order ${order}`);
    }
  });
});
