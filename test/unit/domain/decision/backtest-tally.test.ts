import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BacktestTally } from "../../../../src/domain/decision/backtest-tally.js";
import { toResponse } from "../../../../src/domain/decision/response.js";
import type { Outcome } from "../../../../src/domain/vocabulary/vocabulary.js";
import { A, B, C, type Given, decideGiven } from "./situations.js";

/** Routes to provider_1 or provider_2 at once, waits for a review of provider_1, or blocks. */
const POLICIES = {
  toA: { offered: [A, C] },
  toB: { offered: [B, C] },
  hold: { offered: [A, C], rules: [{ name: "review", then: { type: "hold" } }] },
  block: { rules: [{ name: "stop", then: { type: "block" } }] },
} satisfies Record<string, Given>;
type PolicyName = keyof typeof POLICIES;
type Counted = readonly [before: PolicyName, after: PolicyName, outcome: Outcome | null];

function tallyOf(decisions: readonly Counted[], changesListedMax = 10): BacktestTally {
  const tally = new BacktestTally(changesListedMax);
  for (const [at, [before, after, outcome]] of decisions.entries()) {
    const decide = (name: PolicyName) =>
      decideGiven({ ...POLICIES[name], input: { decisionId: `dec_${at}` } });
    tally.add(toResponse(decide(before), 0), decide(after), outcome);
  }
  return tally;
}

describe("SIM-8: a backtest", () => {
  it("counts nothing where there is no decision", () => {
    const tally = tallyOf([]);
    assert.equal(tally.counted, 0);
    const none = { decisions: 0, approved: 0 };
    assert.deepEqual(tally.result(), {
      replayed: 0,
      not_replayable: 0,
      changed: 0,
      by_action_before: [],
      by_action_after: [],
      transitions: [],
      changed_decisions: [],
      outcomes: {
        known: 0,
        not_known: 0,
        unchanged: none,
        provider_changed: none,
        would_be_blocked: none,
        would_be_held: none,
        no_longer_held: none,
      },
    });
  });

  it("counts each action before and after, and every pair of them", () => {
    const result = tallyOf([
      ["toA", "toB", null],
      ["toA", "hold", null],
      ["hold", "block", null],
      ["hold", "hold", null],
      ["hold", "block", null],
    ]).result();
    assert.deepEqual([result.replayed, result.changed], [5, 4]);
    assert.deepEqual(new Set(result.by_action_before), new Set([count("route", 2), count("hold", 3)]));
    assert.deepEqual(
      new Set(result.by_action_after),
      new Set([count("route", 1), count("hold", 2), count("block", 2)]),
    );
    assert.deepEqual(
      new Set(result.transitions.map(({ before, after, count: times }) => `${before} ${after} ${times}`)),
      new Set(["route route 1", "route hold 1", "hold hold 1", "hold block 2"]),
    );
  });

  it("counts each known outcome by the draft's effect, and never as the same provider where it waits for a review", () => {
    const { outcomes } = tallyOf([
      ["toA", "toA", "approved"],
      ["toA", "toA", "timeout"],
      ["block", "block", "soft_declined"],
      ["toA", "toB", "approved"],
      ["toA", "block", "approved"],
      ["hold", "block", "timeout"],
      ["toA", "hold", "approved"],
      ["hold", "hold", "approved"],
      ["hold", "toA", "approved"],
      ["toA", "toA", null],
      ["hold", "toA", null],
    ]).result();
    assert.deepEqual(outcomes, {
      known: 9,
      not_known: 2,
      unchanged: { decisions: 3, approved: 1 },
      provider_changed: { decisions: 1, approved: 1 },
      would_be_blocked: { decisions: 2, approved: 1 },
      would_be_held: { decisions: 2, approved: 2 },
      no_longer_held: { decisions: 1, approved: 1 },
    });
  });

  it("counts a decision that cannot be made again, and does not replay it", () => {
    const tally = tallyOf([["toA", "toA", null]]);
    tally.addNotReplayable();
    tally.addNotReplayable();
    const { replayed, not_replayable } = tally.result();
    assert.deepEqual([tally.counted, replayed, not_replayable], [3, 1, 2]);
  });

  it("the changed are named as they come, as many as are listed, with the draft's rules", () => {
    const { changed, changed_decisions } = tallyOf(
      [
        ["toA", "toA", null],
        ["toA", "block", null],
        ["hold", "toB", null],
        ["block", "hold", null],
      ],
      2,
    ).result();
    assert.equal(changed, 3);
    assert.deepEqual(changed_decisions, [
      {
        decision_id: "dec_1",
        before: "route",
        after: "block",
        provider_before: A,
        provider_after: null,
        matched_rules: ["stop"],
      },
      {
        decision_id: "dec_2",
        before: "hold",
        after: "route",
        provider_before: A,
        provider_after: B,
        matched_rules: [],
      },
    ]);
  });
});

function count(action: string, times: number) {
  return { action, count: times };
}
