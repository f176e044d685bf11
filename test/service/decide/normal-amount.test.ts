import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { openReplica } from "../../../src/path/replica/replica.js";
import { closeLater } from "../../support/closing.js";
import { decisionsOf, trackerOf } from "../../support/rows/merchant-amounts.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";

let service: RunningService;
before(async () => {
  service = await startTestService();
});

async function riskCodes(amount: number): Promise<readonly string[]> {
  const transaction = { amount, currency: "KES", country: "KE", payment_method: "card" };
  const { status, json } = await send(service, "POST", "/v1/decision", {
    body: decisionBody({ transaction }),
  });
  assert.equal(status, 200);
  const { reason_codes: codes } = json["risk"] as { reason_codes: string[] };
  // RES-12: the decision's codes include the codes of its risk.
  for (const code of codes) assert.ok((json["reason_codes"] as string[]).includes(code));
  return codes;
}

const CODE = "NORMAL_AMOUNT_FOR_MERCHANT";

describe("NORMAL_AMOUNT_FOR_MERCHANT", () => {
  it("RISK-13: appears up to the 99th percentile once 100 decisions of the merchant are counted, and the detail keeps it", async () => {
    // Acts as another node's writer, but publishes into this node's replica. So the test need not wait for this node's
    // own refresh, which comes once a minute.
    const replica = openReplica(service.dataDir);
    closeLater(() => replica.close());
    const tracker = trackerOf("another_node", service.pool, replica);
    const count = async (amounts: readonly number[]): Promise<void> => {
      const of = {
        workspaceId: service.workspaceId,
        mode: "test",
        merchantId: "demo_merchant",
        currency: "KES",
      } as const;
      for (const row of decisionsOf(amounts, of)) tracker.add(row);
      await tracker.refresh();
    };
    await count(Array.from({ length: 99 }, (_, i) => 1 + i));
    assert.ok(!(await riskCodes(1)).includes(CODE));
    await count([100]);
    await eventually(async () => assert.ok((await riskCodes(1)).includes(CODE)));
    assert.ok((await riskCodes(99)).includes(CODE));
    assert.ok(!(await riskCodes(100)).includes(CODE));

    const { json } = await send(service, "POST", "/v1/decision", {
      body: decisionBody({
        transaction: { amount: 50, currency: "KES", country: "KE", payment_method: "card" },
      }),
    });
    const detail = await sendRead(service, "GET", `/v1/decisions/${String(json["decision_id"])}`);
    assert.deepEqual(detail.json["risk"], json["risk"]);
    assert.ok((detail.json["reason_codes"] as string[]).includes(CODE));
  });
});
