import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RuleAction } from "../../../../src/domain/policy/policy.js";
import { toEvaluationBodies } from "../../../../src/domain/decision/evaluation-bodies.js";
import type { HealthSnapshot } from "../../../../src/domain/health/snapshot.js";
import { A, B, C, type Given, type RuleSpec, decideGiven, said } from "./situations.js";

const evaluationOf = (given: Given) =>
  toEvaluationBodies(decideGiven({ offered: [A], ...given }).evaluations)[0];
const scoreOf = (overrides: Partial<HealthSnapshot>) =>
  evaluationOf({ healths: { [A]: overrides } })?.route_score;

describe("Scores: 0.50·health + 0.35·100·approval_rate + 0.15·latency", () => {
  const table: [string, Partial<HealthSnapshot>, number][] = [
    ["SCORE-1: 45 + 31.5 + 12", {}, 88.5],
    ["perfect", { score: 100, approval_rate: 1, p95_latency_ms: 0 }, 100],
    ["nothing at all", { score: 0, approval_rate: 0, p95_latency_ms: 2000 }, 0],
    ["SCORE-2: latency is worth nothing from 2000 ms on", { p95_latency_ms: 2000 }, 76.5],
    ["SCORE-2: nor less beyond", { p95_latency_ms: 60_000 }, 76.5],
    ["SCORE-2: and just under 2000 ms something", { p95_latency_ms: 1980 }, 76.65],
    ["SCORE-3: confidence 50 halves the distance from 50", { confidence: 50 }, 69.25],
    ["confidence 0 is 50", { confidence: 0 }, 50],
    [
      "SCORE-3: confidence lifts a bad score towards 50",
      { score: 0, approval_rate: 0, p95_latency_ms: 2000, confidence: 40 },
      30,
    ],
    ["watch is no worse than healthy", { state: "watch" }, 88.5],
    ["SCORE-3: degraded costs 15", { state: "degraded" }, 73.5],
    ["SCORE-3: the 15 come after confidence", { state: "degraded", confidence: 0 }, 35],
    ["SCORE-4: never under 0", { state: "degraded", score: 10, approval_rate: 0.1, p95_latency_ms: 2000 }, 0],
    ["ELIG-6: unknown health counts as 70", { state: "unknown", score: 50 }, 78.5],
    ["SCORE-4: two decimals", { score: 91.23, approval_rate: 0.8765 }, 88.29],
    ["half a hundredth rounds up", { score: 90.01 }, 88.51],
  ];
  for (const [name, overrides, expected] of table) {
    it(`${name}: ${expected}`, () => assert.equal(scoreOf(overrides), expected));
  }

  it("SCORE-5: components carry each term", () => {
    const rules: RuleSpec[] = [
      { then: { type: "prefer_provider", providers: [A], strict: false, boost: 7 } },
    ];
    const given = { state: "degraded", score: 60, confidence: 80 } as const;
    assert.deepEqual(evaluationOf({ rules, healths: { [A]: given } }), {
      provider: A,
      eligible: true,
      // Raw: 30 + 31.5 + 12 = 73.5. Adjusted: 50 + 23.5·0.8 = 68.8. Then −15 and +7.
      route_score: 60.8,
      health_score: 60,
      health_state: "degraded",
      exclusion_reason: null,
      components: {
        health: 30,
        approval_rate: 31.5,
        latency: 12,
        confidence_adjustment: -4.7,
        degraded_penalty: -15,
        preference_boost: 7,
      },
    });
  });

  it("ELIG-6: an unknown provider's shown health stays its own", () => {
    const evaluation = evaluationOf({ healths: { [A]: { state: "unknown", score: 12 } } });
    assert.equal(evaluation?.health_score, 12);
    assert.equal(evaluation?.components?.health, 35);
  });
});

describe("ELIG-2, ELIG-3: Eligibility", () => {
  const reasonOf = (given: Given) => evaluationOf(given)?.exclusion_reason;
  for (const [state, reason] of [
    ["healthy", null],
    ["watch", null],
    ["degraded", null],
    ["unknown", null],
    ["critical", "HEALTH_CRITICAL"],
    ["unavailable", "CIRCUIT_OPEN"],
  ] as const) {
    it(`${state}: ${reason ?? "eligible"}`, () =>
      assert.equal(reasonOf({ healths: { [A]: { state } } }), reason));
  }

  const minimum = (min_score: number, providers?: string[]): RuleAction =>
    providers === undefined
      ? { type: "require_min_health", min_score }
      : { type: "require_min_health", min_score, providers };
  for (const [name, action, health, reason] of [
    ["at the minimum", minimum(90), {}, null],
    ["ELIG-4: just under it", minimum(90), { score: 89.99 }, "HEALTH_BELOW_POLICY_MINIMUM"],
    ["RULE-4: a minimum of another provider", minimum(99, [B]), {}, null],
    ["RULE-4: its own minimum", minimum(99, [B, A]), {}, "HEALTH_BELOW_POLICY_MINIMUM"],
    ["unknown counts as 70: at 70", minimum(70), { state: "unknown", score: 0 }, null],
    [
      "unknown counts as 70: at 71",
      minimum(71),
      { state: "unknown", score: 100 },
      "HEALTH_BELOW_POLICY_MINIMUM",
    ],
    ["critical before the minimum", minimum(99), { state: "critical" }, "HEALTH_CRITICAL"],
  ] as const) {
    it(`require_min_health: ${name}`, () => {
      assert.equal(reasonOf({ rules: [{ then: action }], healths: { [A]: health } }), reason);
    });
  }

  it("ELIG-1, RULE-3: policy is looked at before health", () => {
    const actions: RuleAction[] = [
      { type: "exclude_provider", providers: [A] },
      { type: "restrict_providers", providers: [B] },
    ];
    for (const then of actions) {
      const given: Given = { rules: [{ then }], healths: { [A]: { state: "unavailable" } } };
      assert.equal(reasonOf(given), "POLICY_EXCLUDED_PROVIDER");
    }
  });

  it("an ineligible provider keeps its score and is not a fallback", () => {
    const decision = decideGiven({ offered: [A, B], healths: { [A]: { state: "critical" } } });
    assert.equal(said(decision), `route ${B}/null`);
    assert.equal(decision.evaluations[0]?.routeScore, 88.5);
  });
});

describe("Scores: the first provider", () => {
  const prefer = (strict: boolean, boost: number, ...providers: string[]) => ({
    then: { type: "prefer_provider", providers, strict, boost } as const,
  });
  const split = (...providers: string[]) => ({
    then: {
      type: "split_traffic",
      weights: Object.fromEntries(providers.map((id) => [id, 100 / providers.length])),
    } as const,
  });

  const table: [string, Given, string][] = [
    ["the higher score", { healths: { [B]: { approval_rate: 0.95 } } }, `${B}/${A}`],
    ["SCORE-8: a tie keeps the order offered", { offered: [C, A, B] }, `${C}/${A}`],
    [
      "a difference that rounds away is a tie",
      { offered: [A, B], healths: { [B]: { score: 90.001 } } },
      `${A}/${B}`,
    ],
    [
      "RULE-2, SCORE-6: strict preference in its own order",
      { rules: [prefer(true, 15, C, B)], healths: { [A]: { score: 100 } } },
      `${C}/${B}`,
    ],
    [
      "SCORE-9: then the rest by score",
      { rules: [prefer(true, 15, C)], healths: { [B]: { score: 91 } } },
      `${C}/${B}`,
    ],
    [
      "SCORE-6: strict preference takes watch",
      { rules: [prefer(true, 15, C)], healths: { [C]: { state: "watch", score: 70 } } },
      `${C}/${A}`,
    ],
    [
      "SCORE-6: and unknown",
      { rules: [prefer(true, 15, C)], healths: { [C]: { state: "unknown" } } },
      `${C}/${A}`,
    ],
    [
      "SCORE-6: not degraded",
      { rules: [prefer(true, 15, C)], healths: { [C]: { state: "degraded" } } },
      `${A}/${B}`,
    ],
    [
      "nor ineligible",
      { rules: [prefer(true, 15, C)], healths: { [C]: { state: "unavailable" } } },
      `${A}/${B}`,
    ],
    [
      "a degraded preferred one ranks by its score",
      {
        offered: [A, C],
        rules: [prefer(true, 15, C)],
        healths: { [A]: { score: 30 }, [C]: { state: "degraded" } },
      },
      `${C}/${A}`,
    ],
    [
      "a preferred provider that is not offered is no option",
      { offered: [A, B], rules: [prefer(true, 15, C)] },
      `${A}/${B}`,
    ],
    [
      "SCORE-6: a boost decides a close race",
      { rules: [prefer(false, 15, C)], healths: { [A]: { score: 100 } } },
      `${C}/${A}`,
    ],
    [
      "a boost that is not enough does not",
      { rules: [prefer(false, 4, C)], healths: { [A]: { score: 100 } } },
      `${A}/${C}`,
    ],
    [
      "a boost reaches a degraded provider too",
      { rules: [prefer(false, 16, C)], healths: { [C]: { state: "degraded" } } },
      `${C}/${A}`,
    ],
    [
      "SCORE-8: boosted over 100 they tie at 100, in the order offered",
      { rules: [prefer(false, 100, C, B)], healths: { [C]: { score: 91 } } },
      `${B}/${C}`,
    ],
    ["SCORE-7: the split's pick first", { rules: [split(C)], healths: { [A]: { score: 100 } } }, `${C}/${A}`],
    [
      "SCORE-7: the split before a strict preference",
      { rules: [prefer(true, 15, B), split(C)] },
      `${C}/${B}`,
    ],
    [
      "SCORE-7: a split's pick that is ineligible leaves the rest as it was",
      { rules: [prefer(true, 15, B), split(C)], healths: { [C]: { state: "critical" } } },
      `${B}/${A}`,
    ],
    [
      "a split's pick that is not offered too",
      { offered: [A, B], rules: [split(C)], healths: { [B]: { score: 91 } } },
      `${B}/${A}`,
    ],
    [
      "a degraded pick is still the pick",
      { rules: [split(C)], healths: { [C]: { state: "degraded" } } },
      `${C}/${A}`,
    ],
  ];
  for (const [name, given, expected] of table) {
    it(name, () => assert.equal(said(decideGiven(given)), `route ${expected}`));
  }

  it("a strict preference leaves the scores as they are", () => {
    const decision = decideGiven({ rules: [prefer(true, 15, C)] });
    assert.deepEqual(
      decision.evaluations.map(({ routeScore }) => routeScore),
      [88.5, 88.5, 88.5],
    );
  });

  it("SCORE-6: shows a boosted score, limited to 100", () => {
    const decision = decideGiven({ rules: [prefer(false, 15, C)] });
    assert.deepEqual(
      decision.evaluations.map(({ routeScore }) => routeScore),
      [88.5, 88.5, 100],
    );
  });

  it("RULE-9: splits by the order's hash: order_1 is in bucket 42, order_2 in 84", () => {
    const rules = [split(A, B)];
    assert.equal(said(decideGiven({ rules, request: { order_id: "order_1" } })), `route ${A}/${B}`);
    assert.equal(said(decideGiven({ rules, request: { order_id: "order_2" } })), `route ${B}/${A}`);
  });
});
