import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DecisionFacts } from "../../../src/outcomes/reported-outcome.js";
import type { JournalStanding } from "../../../src/persistence/journal-standings.js";
import { createDecisionLookup, type LookupResult } from "../../../src/read/decision-lookup.js";
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
const START_MS = Date.parse("2026-11-20T12:00:00Z");
const MINUTE_MS = 60_000;

interface Situation {
  /** How long ago the decision was made, by the id. */
  ageMs?: number;
  /** Whether this node's journal drains in time. */
  drains?: boolean;
  /** The question at which PostgreSQL has the decision: 1 is the first one. */
  storedAtQuestion?: number;
  /** The other nodes at the nth reading of their standings, the last one for ever after. */
  others?: readonly (readonly Partial<JournalStanding>[])[];
  backForMs?: number;
}

async function lookUp({
  ageMs = 0,
  drains = true,
  storedAtQuestion = Infinity,
  others = [[]],
  backForMs = Infinity,
}: Situation): Promise<LookupResult> {
  let clockMs = START_MS;
  let questions = 0;
  let readings = 0;
  const look = createDecisionLookup({
    find: async (keys) => {
      questions++;
      return keys.map(() => (questions >= storedAtQuestion ? FACTS : null));
    },
    isReachable: () => true,
    onAway: () => undefined,
    persisted: async () => drains,
    async standings() {
      const now = others[Math.min(readings++, others.length - 1)] ?? [];
      clockMs += 100;
      const standing = { settledThroughMs: START_MS - 100, heardMs: clockMs, stopped: false };
      return { clockMs, others: now.map((known) => ({ ...standing, ...known })) };
    },
    backForMs: () => backForMs,
    now: () => clockMs,
  });
  const decisionId = newId("dec", START_MS - ageMs);
  return look({ workspaceId: "ws", mode: "test", decisionId });
}

describe("contract §6: an outcome finds its decision that is still in this node's journal", () => {
  for (const ageMs of [0, 3_600_000]) {
    it(`made ${ageMs} ms ago: what was acknowledged is waited for, however old`, async () => {
      assert.deepEqual(await lookUp({ ageMs, storedAtQuestion: 2 }), FACTS);
    });

    it(`made ${ageMs} ms ago, and the journal does not drain in time: the journal is asked, nobody is told there is none`, async () => {
      assert.equal(await lookUp({ ageMs, drains: false }), "unavailable");
    });
  }
});

describe("contract §6: an outcome does not wait for a PostgreSQL that is away", () => {
  it("whoever waits is told once that is known, however many, and whatever their queries do", async () => {
    let giveUp = (): void => undefined;
    const look = createDecisionLookup({
      find: () => new Promise(() => undefined),
      isReachable: () => true,
      onAway: (listener) => (giveUp = listener),
      persisted: async () => true,
      standings: async () => ({ clockMs: START_MS, others: [] }),
      backForMs: () => Infinity,
      now: () => START_MS,
    });
    const ask = (): Promise<LookupResult> =>
      look({ workspaceId: "ws", mode: "test", decisionId: newId("dec", START_MS) });
    const asked = Array.from({ length: LIMITS.outcomeLookupsMax }, ask);
    assert.equal(await ask(), "full");
    giveUp();
    assert.deepEqual(new Set(await Promise.all(asked)), new Set(["unavailable"]));
    const after = ask();
    giveUp();
    assert.equal(await after, "unavailable");
  });
});

describe("contract §6: and one that is still in another node's", () => {
  it("is waited for until it comes", async () => {
    assert.deepEqual(await lookUp({ others: [[{}]], storedAtQuestion: 6 }), FACTS);
  });

  it("there is none, once every node has stored what it acknowledged before the report", async () => {
    const settled = { settledThroughMs: START_MS + 100 };
    assert.equal(
      await lookUp({
        others: [
          [{}, {}],
          [settled, {}],
          [settled, settled],
        ],
      }),
      null,
    );
  });

  it("one node that has not, though all others have, may hold it still: 503 when patience ends", async () => {
    const settled = { settledThroughMs: START_MS + 100 };
    assert.equal(await lookUp({ others: [[settled, {}]] }), "unavailable");
  });

  it("is not waited for where its node is silent: 503 at once", async () => {
    const silent = { heardMs: START_MS - LIMITS.nodeSilentAfterMs };
    assert.equal(await lookUp({ others: [[silent]], storedAtQuestion: 3 }), "unavailable");
  });

  it("a silent node holds none from before it last told that all is stored, hosts' clocks apart", async () => {
    const silent = { heardMs: START_MS - MINUTE_MS, settledThroughMs: START_MS - MINUTE_MS };
    assert.equal(await lookUp({ others: [[silent]], ageMs: 2 * MINUTE_MS + 1 }), null);
    assert.equal(await lookUp({ others: [[silent]], ageMs: 2 * MINUTE_MS - 1 }), "unavailable");
  });

  it("no node holds one of tomorrow", async () => {
    assert.equal(await lookUp({ others: [[{}]], ageMs: -24 * 60 * MINUTE_MS }), null);
  });

  it("a node that stopped with all stored, or left for good, holds none", async () => {
    const gone = { heardMs: START_MS - LIMITS.nodeForgottenAfterMs };
    assert.equal(await lookUp({ others: [[{ stopped: true }, gone]] }), null);
  });

  it("… but just after PostgreSQL was away it may have started, or have been there all the time", async () => {
    const gone = { heardMs: START_MS - LIMITS.nodeForgottenAfterMs };
    const backForMs = LIMITS.nodesReturnWithinMs - 1;
    assert.equal(await lookUp({ others: [[gone]], backForMs }), "unavailable");
    assert.equal(await lookUp({ others: [[{ stopped: true, heardMs: 0 }]], backForMs }), "unavailable");
    assert.equal(await lookUp({ others: [[]], backForMs }), null);
  });
});
