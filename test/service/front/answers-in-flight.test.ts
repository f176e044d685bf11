import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { decisionBody, send, sendRead, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

const REQUESTS = 400;
/** Order ids whose letters take one to four bytes. */
const ORDERS = ["order", "größe", "注文", "🛒"];

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

/** Sends all requests at once, each with its own idempotency key. Returns the texts by request. */
async function answers(requests: readonly number[]): Promise<string[]> {
  const texts: string[] = [];
  await Promise.all(
    requests.map(async (index) => {
      const order = ORDERS[index % ORDERS.length] as string;
      const body = decisionBody({
        order_id: `${order}_${index}`,
        // The number of providers varies, so the replies have different lengths.
        available_providers: ["provider_1", "provider_2", "provider_3"].slice(0, 1 + (index % 3)),
      });
      const headers = { "idempotency-key": `in-flight-${index}` };
      const reply = await send(service, "POST", "/v1/decision", { body, headers });
      assert.equal(reply.status, 200, reply.text);
      texts[index] = reply.text;
    }),
  );
  return texts;
}

describe("answers of many batches under way at once", () => {
  it("each request gets its own complete answer, and the same bytes when all are repeated in another order", async () => {
    const order = Array.from({ length: REQUESTS }, (_, index) => index);
    const first = await answers(order);
    const ids = first.map((text) => (JSON.parse(text) as { decision_id: string }).decision_id);
    assert.equal(new Set(ids).size, REQUESTS);
    for (const again of [order.toReversed(), order.toSorted((a, b) => (a % 7) - (b % 7))]) {
      assert.deepEqual(await answers(again), first);
    }
  });

  it("each stored decision is the answered one", async () => {
    const [text = ""] = await answers([0]);
    const { decision_id: id, route } = JSON.parse(text) as { decision_id: string; route: unknown };
    const { json } = await sendRead(service, "GET", `/v1/decisions/${id}`);
    assert.deepEqual([json["order_id"], json["route"]], ["order_0", route]);
  });
});
