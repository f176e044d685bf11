import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { decide } from "../../../../src/domain/decision/decide.js";
import type { DecideInput } from "../../../../src/domain/decision/decision.js";
import type { ProviderEvaluation } from "../../../../src/domain/decision/evaluation.js";
import { rankEligible } from "../../../../src/domain/decision/ranking.js";
import { simulate } from "../../../../src/domain/decision/simulation.js";
import { NOTHING_MATCHED } from "../../../../src/domain/policy/policy-evaluation.js";
import type { RuleAction } from "../../../../src/domain/policy/policy.js";
import { PREVIOUS_OUTCOMES, type PreviousOutcome } from "../../../../src/domain/vocabulary/vocabulary.js";
import { decideInput } from "../../../support/generators/arbitraries.js";
import {
  A,
  B,
  C,
  type Given,
  contractPrices,
  decideGiven,
  inputOf,
  said,
  snapshot,
  timeoutAt,
} from "./situations.js";

const FAILED_HERE = "PREVIOUS_ATTEMPT_FAILED_HERE";
const rule = (then: RuleAction) => ({ then });
const failedAt = (provider: string, outcome: PreviousOutcome = "declined") => ({
  previous_attempt: { provider, outcome },
});
/** The order by score is A, B, C. All of them are healthy. */
const DESCENDING = { [A]: { score: 98 }, [B]: { score: 94 }, [C]: { score: 90 } };
const strictly = (...providers: string[]) =>
  rule({ type: "prefer_provider", providers, strict: true, boost: 0 });

describe("ACT-18: a route after a failed attempt ranks that provider last among equals in state", () => {
  for (const outcome of PREVIOUS_OUTCOMES) {
    it(`behind every other healthy one, with any score, after ${outcome}`, () => {
      const decision = decideGiven({ healths: DESCENDING, request: failedAt(A, outcome) });
      assert.equal(said(decision), `route ${B}/${C}`);
      assert.ok(!decision.reasonCodes.includes(FAILED_HERE));
    });
  }

  const cases: [name: string, given: Given, expected: string, isFirstAllTheSame: boolean][] = [
    [
      "of two it is the fallback",
      { healths: DESCENDING, offered: [A, B], request: failedAt(A) },
      `route ${B}/${A}`,
      false,
    ],
    [
      "the one that was not first anyway falls behind the third",
      { healths: DESCENDING, request: failedAt(B) },
      `route ${A}/${C}`,
      false,
    ],
    ["a tie in score goes to the other", { offered: [A, B], request: failedAt(A) }, `route ${B}/${A}`, false],
    [
      "one in a worse state does not overtake it",
      {
        healths: { [A]: { score: 95 }, [B]: { state: "watch", score: 75 } },
        offered: [B, A],
        request: failedAt(A),
      },
      `route ${A}/${B}`,
      true,
    ],
    [
      "it stays before those in a worse state, and goes behind those in its own",
      {
        healths: { [A]: { score: 95 }, [B]: { state: "watch", score: 75 }, [C]: { score: 90 } },
        request: failedAt(A),
      },
      `route ${C}/${A}`,
      false,
    ],
    ["alone it is first all the same", { offered: [A], request: failedAt(A) }, `route ${A}/null`, true],
    [
      "alone in being eligible it is first all the same",
      { healths: { [B]: { state: "unavailable" } }, offered: [A, B], request: failedAt(A) },
      `route ${A}/null`,
      true,
    ],
    [
      "one that is not offered again changes nothing",
      { healths: DESCENDING, offered: [A, B], request: failedAt(C) },
      `route ${A}/${B}`,
      false,
    ],
    [
      "one that is not eligible changes nothing",
      { healths: { ...DESCENDING, [A]: { state: "critical" } }, request: failedAt(A) },
      `route ${B}/${C}`,
      false,
    ],
    [
      "a boost does not help it",
      {
        healths: DESCENDING,
        rules: [rule({ type: "prefer_provider", providers: [A], strict: false, boost: 50 })],
        request: failedAt(A),
      },
      `route ${B}/${C}`,
      false,
    ],
    [
      "optimize_for orders the others",
      {
        rules: [rule({ type: "optimize_for", mode: "cost" })],
        pricing: contractPrices({ [A]: 100, [B]: 300, [C]: 200 }),
        request: failedAt(A),
      },
      `route ${C}/${B}`,
      false,
    ],
    [
      "a strict preference is stronger",
      { rules: [strictly(A)], healths: DESCENDING, request: failedAt(A) },
      `route ${A}/${B}`,
      true,
    ],
    [
      "a strict order is kept",
      { rules: [strictly(C, B)], healths: DESCENDING, request: failedAt(B) },
      `route ${C}/${B}`,
      false,
    ],
    [
      "the traffic split is stronger",
      {
        rules: [rule({ type: "split_traffic", weights: { [A]: 100 } })],
        healths: DESCENDING,
        request: failedAt(A),
      },
      `route ${A}/${B}`,
      true,
    ],
    [
      "where nobody is eligible the best of the others in its state takes it",
      {
        healths: { [A]: { state: "critical", score: 40 }, [B]: { state: "critical", score: 30 } },
        offered: [A, B],
        request: failedAt(A),
      },
      `route ${B}/null`,
      false,
    ],
    [
      "where nobody is eligible nor in its state it is first all the same",
      {
        healths: { [A]: { state: "critical", score: 40 }, [B]: { state: "unavailable", score: 10 } },
        offered: [A, B],
        request: failedAt(A),
      },
      `route ${A}/null`,
      true,
    ],
  ];
  for (const [name, given, expected, isFirst] of cases) {
    it(name, () => {
      const decision = decideGiven(given);
      assert.equal(said(decision), expected);
      assert.equal(decision.reasonCodes.includes(FAILED_HERE), isFirst);
    });
  }

  for (const type of ["hold", "step_up"] as const) {
    it(`the route of a ${type} is chosen alike`, () => {
      const rules = [rule({ type })];
      const moved = decideGiven({ rules, healths: DESCENDING, request: failedAt(A, "error") });
      assert.equal(said(moved), `${type} ${B}/${C}`);
      const alone = decideGiven({ rules, offered: [A], request: failedAt(A, "error") });
      assert.equal(said(alone), `${type} ${A}/null`);
      assert.ok(alone.reasonCodes.includes(FAILED_HERE));
    });
  }

  it("retry and failover keep their own rules, and do not say it", () => {
    const rules = [rule({ type: "retry_on_timeout", same_provider: true })];
    const retried = decideGiven({ rules, healths: DESCENDING, request: timeoutAt(A) });
    assert.equal(said(retried), `retry ${A}/${B}`);
    const healths = { ...DESCENDING, [A]: { state: "degraded", score: 60 } } as const;
    const failedOver = decideGiven({ healths, request: timeoutAt(A) });
    assert.equal(said(failedOver), `failover ${B}/${C}`);
    for (const { reasonCodes } of [retried, failedOver]) assert.ok(!reasonCodes.includes(FAILED_HERE));
  });

  it("a default provider takes its payment as before, and no code mentions it", () => {
    const decision = decideGiven({
      healths: { [A]: { state: "critical" } },
      offered: [A],
      defaultProvider: A,
      request: failedAt(A),
    });
    assert.equal(said(decision), `use_default_route ${A}/null`);
    assert.ok(!decision.reasonCodes.includes(FAILED_HERE));
  });

  it("simulate answers alike", () => {
    const { route, reason_codes } = simulate(inputOf({ healths: DESCENDING, request: failedAt(A) }), []);
    assert.deepEqual(route, { primary_provider: B, fallback_provider: C });
    assert.ok(!reason_codes.includes(FAILED_HERE));
  });
});

/** The eligible providers of a decision without a policy, in the order they rank. */
function rankOf(evaluations: readonly ProviderEvaluation[], failedProvider: string | null): string[] {
  const input = { policy: NOTHING_MATCHED, splitPick: null, amount: 1, failedProvider };
  return rankEligible(evaluations, input).map(({ provider }) => provider);
}

describe("last among equals, for any decision", () => {
  const always = (name: string, holds: (input: DecideInput) => void): void => {
    it(name, () => fc.assert(fc.property(decideInput, holds), { numRuns: 600 }));
  };

  always("ACT-18: the others keep their order, and nobody of its state is behind it", (input) => {
    const { evaluations } = decide(input);
    const stateOf = new Map(
      evaluations.map(({ provider, segment }) => [provider, segment.snapshot.state] as const),
    );
    const before = rankOf(evaluations, null);
    for (const failed of before) {
      const after = rankOf(evaluations, failed);
      const others = (ranked: string[]) => ranked.filter((provider) => provider !== failed);
      assert.deepEqual(others(after), others(before));
      const behind = after.slice(after.indexOf(failed) + 1);
      assert.ok(behind.every((provider) => stateOf.get(provider) !== stateOf.get(failed)));
      // The failed provider moves directly behind the last one in its state, and no further.
      const lastEqual = before.findLastIndex((provider) => stateOf.get(provider) === stateOf.get(failed));
      assert.equal(after.indexOf(failed), lastEqual);
    }
  });

  always(
    "ACT-18, ACT-21: it is said if and only if a route, a hold, a step-up or a scheme's retry has it first by ranking",
    (input) => {
      const { instruction, reasonCodes } = decide(input);
      const { action, route } = instruction;
      const byAnother = ["RETRY_ALLOWED_BY_POLICY", "DEFAULT_ROUTE_APPLIED"].some((code) =>
        reasonCodes.includes(code),
      );
      const expected =
        route !== null &&
        (action === "route" || action === "hold" || action === "step_up" || action === "retry") &&
        !byAnother &&
        route.primaryProvider === input.request.previous_attempt?.provider;
      assert.equal(reasonCodes.includes(FAILED_HERE), expected);
    },
  );
});

it("ACT-18: the failed provider moves behind its equals in the same state, and those stay in order", () => {
  const scores: [string, "healthy" | "watch", number][] = [
    [A, "healthy", 98],
    [B, "watch", 97],
    [C, "healthy", 90],
  ];
  const healths = Object.fromEntries(
    scores.map(([provider, state, score]) => [provider, snapshot(provider, { state, score })]),
  );
  assert.equal(said(decideGiven({ healths, request: failedAt(A) })), `route ${B}/${C}`);
});
