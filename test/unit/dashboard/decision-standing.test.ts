import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { DecisionDetail, ProviderEvaluation } from "../../../src/client/wire-types.js";
import { drawnParts } from "../../../src/dashboard/pages/decision/score-parts.js";
import { standingsOf } from "../../../src/dashboard/pages/decision/standing.js";
import { decide } from "../../../src/domain/decision/decide.js";
import { toEvaluationBodies } from "../../../src/domain/decision/evaluation-bodies.js";
import { toResponse } from "../../../src/domain/decision/response.js";
import { decideInput } from "../../support/generators/arbitraries.js";

const NO_TERMS = {
  health: 0,
  approval_rate: 0,
  latency: 0,
  confidence_adjustment: 0,
  degraded_penalty: 0,
  preference_boost: 0,
};

function evaluation(provider: string, changes: Partial<ProviderEvaluation> = {}): ProviderEvaluation {
  return {
    provider,
    eligible: true,
    route_score: 80,
    health_score: 90,
    health_state: "healthy",
    exclusion_reason: null,
    components: { ...NO_TERMS, health: 45, approval_rate: 30, latency: 5 },
    ...changes,
  };
}

type Part = Pick<DecisionDetail, "action" | "route" | "reason_codes" | "provider_evaluations">;
const textsOf = (part: Part) =>
  standingsOf(part as DecisionDetail).map(({ evaluation: { provider }, place, text }) => [
    provider,
    place,
    text,
  ]);
const ROUTE = { primary_provider: "a", fallback_provider: null };

describe("why each loser lost", () => {
  const cases: readonly [title: string, part: Partial<Part>, loser: ProviderEvaluation, text: string][] = [
    [
      "by how many points, and where most of them are",
      {},
      evaluation("b", {
        route_score: 72.5,
        components: { ...NO_TERMS, health: 45, approval_rate: 22.5, latency: 5 },
      }),
      "7.50 points behind a, mostly by approval rate (7.50).",
    ],
    [
      "a tie goes to the one offered first",
      {},
      evaluation("b"),
      "Level with a on points, which was offered first.",
    ],
    [
      "the provider of a failed attempt gives way in spite of its points",
      {},
      evaluation("b", { route_score: 81 }),
      "1.00 points ahead, but the last attempt failed here.",
    ],
    [
      "a traffic split outweighs the score",
      { reason_codes: ["TRAFFIC_SPLIT_APPLIED"] },
      evaluation("b", { route_score: 81 }),
      "1.00 points ahead, but the policy's traffic split gives this order to it.",
    ],
    [
      "an objective decided where the loser is behind as well",
      { reason_codes: ["OPTIMIZED_FOR_COST"] },
      evaluation("b", { route_score: 79 }),
      "1.00 points behind a; what decided is that the policy optimizes for cost.",
    ],
    ...(
      [
        ["POLICY_EXCLUDED_PROVIDER", "A policy rule excludes it."],
        ["CIRCUIT_OPEN", "It is unavailable: too many of its requests failed."],
        ["HEALTH_CRITICAL", "Its health is critical."],
        ["HEALTH_BELOW_POLICY_MINIMUM", "Its health is below the minimum that a policy rule asks for."],
        ["COST_ABOVE_POLICY_LIMIT", "It costs more than a policy rule allows."],
      ] as const
    ).map(([exclusion_reason, text]): [string, Partial<Part>, ProviderEvaluation, string] => [
      `ruled out by ${exclusion_reason}`,
      {},
      evaluation("b", { eligible: false, exclusion_reason }),
      text,
    ]),
    [
      "a block chose nobody",
      { action: "block", route: null },
      evaluation("b"),
      "It could have taken the payment, which was blocked.",
    ],
  ];
  for (const [title, part, loser, expected] of cases) {
    it(title, () => {
      const all = textsOf({
        action: "route",
        route: ROUTE,
        reason_codes: [],
        provider_evaluations: [evaluation("a"), loser],
        ...part,
      });
      assert.equal(all.find(([provider]) => provider === "b")?.[2], expected);
    });
  }

  it("a boost is in the points, and is named there", () => {
    const boosted = { ...NO_TERMS, health: 45, approval_rate: 30, latency: 5, preference_boost: 8 };
    const texts = textsOf({
      action: "route",
      route: ROUTE,
      reason_codes: ["POLICY_PREFERRED_PROVIDER"],
      provider_evaluations: [evaluation("a", { route_score: 88, components: boosted }), evaluation("b")],
    });
    assert.deepEqual(texts, [
      ["a", "primary", "Chosen."],
      ["b", "lost", "8.00 points behind a, mostly by preference (8.00)."],
    ]);
  });

  it("any decision lists each offered provider once, the primary first, with a reason in words", () => {
    fc.assert(
      fc.property(decideInput, (input) => {
        const decision = decide(input);
        const { action, route, reason_codes } = toResponse(decision, 0);
        const provider_evaluations = toEvaluationBodies(decision.evaluations);
        const part = { action, route, reason_codes: [...reason_codes], provider_evaluations };
        const standings = standingsOf(part as DecisionDetail);
        assert.deepEqual(
          standings.map(({ evaluation }) => evaluation.provider).toSorted(),
          provider_evaluations.map(({ provider }) => provider).toSorted(),
        );
        const primaryAt = standings.findIndex(({ place }) => place === "primary");
        assert.ok(primaryAt <= 0);
        for (const { evaluation, place, text } of standings) {
          assert.match(text, /\.$/);
          assert.ok(!/undefined|null|NaN/.test(text), text);
          if (!evaluation.eligible && place !== "primary") assert.equal(place, "excluded");
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("each provider's score drawn from its components", () => {
  it("gains follow one another from 0, and losses end at the score", () => {
    const components = {
      ...NO_TERMS,
      health: 45,
      approval_rate: 30,
      confidence_adjustment: -3,
      degraded_penalty: -15,
    };
    assert.deepEqual(
      drawnParts(components).map(({ name, from, length }) => [name, from, length]),
      [
        ["health", 0, 45],
        ["approval_rate", 45, 30],
        ["confidence_adjustment", 72, 3],
        ["degraded_penalty", 57, 15],
      ],
    );
  });

  it("the drawing of any decision ends at the shown score", () => {
    fc.assert(
      fc.property(decideInput, (input) => {
        for (const { route_score, components } of toEvaluationBodies(decide(input).evaluations)) {
          const parts = drawnParts(components);
          const gains = parts.filter(({ points }) => points > 0).reduce((sum, { length }) => sum + length, 0);
          const losses = parts
            .filter(({ points }) => points < 0)
            .reduce((sum, { length }) => sum + length, 0);
          // Each term is rounded to two decimals by itself, and the score is limited to 100.
          assert.ok(Math.abs(Math.min(gains - losses, 100) - route_score) < 0.04);
          for (const { from, length } of parts) assert.ok(from >= 0 && length > 0);
        }
      }),
      { numRuns: 300 },
    );
  });
});
