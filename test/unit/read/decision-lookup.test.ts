import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DecisionFacts } from "../../../src/outcomes/reported-outcome.js";
import { createDecisionLookup } from "../../../src/read/decision-lookup.js";
import { LIMITS } from "../../../src/shared/limits.js";
import { newId } from "../../support/decision-rows.js";

const FACTS: DecisionFacts = {
  workspaceId: "ws",
  mode: "test",
  merchantId: "demo_merchant",
  orderId: "order_1",
  paymentMethod: "card",
  retryOf: null,
};
const key = { workspaceId: "ws", mode: "test", decisionId: newId("dec") } as const;

/** A PostgreSQL that has the decision once this node's journal is drained. */
function lookUp(options: { ageMs: number; drains: boolean; exists?: boolean }) {
  let drained = false;
  const look = createDecisionLookup({
    find: async (keys) => keys.map(() => (drained && (options.exists ?? true) ? FACTS : null)),
    isReachable: () => true,
    async persisted() {
      drained = options.drains;
      return options.drains;
    },
    now: () => Date.now() + options.ageMs,
  });
  return look(key);
}

describe("contract §6: an outcome finds its decision that is still in this node's journal", () => {
  for (const ageMs of [0, LIMITS.decisionSettlingMs + 1, 3_600_000]) {
    it(`made ${ageMs} ms ago: what was acknowledged is waited for, however old`, async () => {
      assert.deepEqual(await lookUp({ ageMs, drains: true }), FACTS);
    });

    it(`made ${ageMs} ms ago, and the journal does not drain in time: the journal is asked, nobody is told there is none`, async () => {
      assert.equal(await lookUp({ ageMs, drains: false }), "unavailable");
    });
  }

  it("there is none, when the journal is drained and it is too old to be on its way from another node", async () => {
    const ageMs = LIMITS.decisionSettlingMs + 1;
    assert.equal(await lookUp({ ageMs, drains: true, exists: false }), null);
  });
});
