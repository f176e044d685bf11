import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toEvaluationBodies } from "../../../../src/domain/decision/evaluation-bodies.js";
import type { RuleAction } from "../../../../src/domain/policy/policy.js";
import { toResponse } from "../../../../src/domain/decision/response.js";
import { UNKNOWN_QUOTE } from "../../../../src/domain/pricing/pricing-view.js";
import { A, B, C, type Given, contractPrices, decideGiven, said } from "./situations.js";

const rule = (then: RuleAction) => ({ then });
const optimize = (mode: "approval" | "cost" | "balanced" | "margin", options = {}) =>
  rule({ type: "optimize_for", mode, ...options });
/** The prices as the response shows them. */
const pricesGiven = (given: Given) => {
  const { cost, economics } = toResponse(decideGiven(given), 0);
  return { cost, economics };
};
const unmatched = (then: RuleAction) => ({ when: { amount_gt: 10_000 }, then });

describe("Model generations", () => {
  const table: [string, Given, string][] = [
    ["no policy, no pricing", {}, "deterministic-v1"],
    ["SVC-12: a policy without cost controls", { rules: [rule({ type: "hold" })] }, "deterministic-v1"],
    [
      "a matched max_cost rule",
      { rules: [rule({ type: "max_cost", max_cost_minor: 9 })] },
      "deterministic-v2",
    ],
    [
      "an unmatched max_cost rule",
      { rules: [unmatched({ type: "max_cost", max_cost_minor: 9 })] },
      "deterministic-v2",
    ],
    [
      "an unmatched optimize_for rule",
      { rules: [unmatched({ type: "optimize_for", mode: "cost" })] },
      "deterministic-v2",
    ],
    ["COST-2: resolved pricing, no policy", { pricing: contractPrices({ [A]: 100 }) }, "deterministic-v2"],
    [
      "COST-2: a pricing view with nothing real in it",
      { pricing: { ...contractPrices({}), resolved: false } },
      "deterministic-v1",
    ],
    ["a block", { rules: [rule({ type: "block" }), optimize("cost")] }, "deterministic-v2"],
  ];
  for (const [name, given, version] of table) {
    it(`RES-10, SVC-13: ${name}: ${version}`, () => assert.equal(decideGiven(given).model.version, version));
  }

  it("RES-11: deterministic-v1 has neither cost nor economics, nor has a block", () => {
    const none = { cost: null, economics: null };
    assert.deepEqual(pricesGiven({}), none);
    assert.deepEqual(
      pricesGiven({ rules: [rule({ type: "block" })], pricing: contractPrices({ [A]: 100 }) }),
      none,
    );
  });
});

describe("Model v2: cost and economics of the primary", () => {
  it("COST-5, COST-6, COST-7, COST-8, COST-11, COST-14, COST-15, COST-16: carry the quote, and EV = p·(amount·margin_bps/10⁴ − cost) with p = (approvals + 50·baseline)/(n + 50)", () => {
    const given: Given = {
      offered: [A],
      healths: { [A]: { approval_rate: 0.8, approval_rate_baseline: 0.9, sample_size: 150 } },
      pricing: contractPrices({ [A]: 250 }),
    };
    // The chance of an approval is (120 + 45)/200 = 0.825.
    assert.deepEqual(pricesGiven(given), {
      cost: {
        estimated_cost_minor: 250,
        effective_bps: 250,
        currency: "USD",
        pricing_source: "merchant_contract",
        confidence_score: 100,
        reason_codes: ["MERCHANT_CONTRACT_PRICING_USED"],
      },
      economics: {
        expected_value_minor: 8043.75,
        model_version: "deterministic-v2",
        optimization_mode: "balanced",
      },
    });
    const modes: [ReturnType<typeof optimize>, string, number][] = [
      [optimize("approval"), "approval", 8043.75],
      [optimize("cost"), "cost", 8043.75],
      [optimize("margin"), "margin", 1443.75],
      [optimize("margin", { margin_bps: 100 }), "margin", -123.75],
    ];
    for (const [then, mode, value] of modes) {
      const { economics } = pricesGiven({ ...given, rules: [then] });
      assert.deepEqual([economics?.optimization_mode, economics?.expected_value_minor], [mode, value]);
    }
  });

  it("COST-14: describe a default provider that was not offered", () => {
    const given: Given = {
      rules: [rule({ type: "exclude_provider", providers: [A] })],
      offered: [A],
      defaultProvider: C,
      pricing: contractPrices({ [A]: 100, [C]: 300 }),
    };
    assert.equal(said(decideGiven(given)), `use_default_route ${C}/null`);
    assert.equal(pricesGiven(given).cost?.estimated_cost_minor, 300);
  });

  it("cost no quotes but the primary's, unless a limit or an objective weighs them all", () => {
    const prices = contractPrices({ [A]: 100, [B]: 200, [C]: 300 });
    const quotesOf = (given: Given): string[] => {
      const quoted: string[] = [];
      const pricing: typeof prices = {
        ...prices,
        quote(provider, transaction) {
          quoted.push(provider);
          return prices.quote(provider, transaction);
        },
      };
      decideGiven({ offered: [A, B, C], pricing, ...given });
      return quoted;
    };
    assert.deepEqual(quotesOf({}), [A]);
    assert.deepEqual(quotesOf({ rules: [rule({ type: "max_cost", max_cost_minor: 250 })] }), [A, B, C]);
    assert.deepEqual(quotesOf({ rules: [optimize("cost")] }), [A, B, C]);
  });

  it("without any pricing every quote is unknown", () => {
    const { cost } = pricesGiven({ rules: [optimize("balanced")] });
    assert.deepEqual(cost, { ...UNKNOWN_QUOTE, currency: "USD" });
  });

  it("COST-8: p is the baseline where there are no samples", () => {
    const { economics } = pricesGiven({
      offered: [A],
      healths: { [A]: { sample_size: 0, approval_rate: 0, approval_rate_baseline: 0.5 } },
      pricing: contractPrices({ [A]: 0 }),
    });
    assert.equal(economics?.expected_value_minor, 5000);
  });
});

describe("Eligibility: max_cost", () => {
  const reason = (then: RuleAction, cost: number, source = "merchant_contract" as const) =>
    decideGiven({
      offered: [A],
      rules: [rule(then)],
      pricing: contractPrices({ [A]: cost }, { [A]: { pricing_source: source } }),
    }).evaluations[0]?.exclusionReason;

  // The amount is 10000, so a cost of 290 is 290 bps.
  for (const [name, then, expected] of [
    ["at max_effective_bps", { type: "max_cost", max_effective_bps: 290 }, null],
    [
      "ELIG-5: over max_effective_bps",
      { type: "max_cost", max_effective_bps: 289 },
      "COST_ABOVE_POLICY_LIMIT",
    ],
    ["at max_cost_minor", { type: "max_cost", max_cost_minor: 290 }, null],
    ["ELIG-5: over max_cost_minor", { type: "max_cost", max_cost_minor: 289 }, "COST_ABOVE_POLICY_LIMIT"],
    [
      "RULE-7: over one of two limits",
      { type: "max_cost", max_effective_bps: 300, max_cost_minor: 289 },
      "COST_ABOVE_POLICY_LIMIT",
    ],
    ["under both", { type: "max_cost", max_effective_bps: 300, max_cost_minor: 300 }, null],
  ] as [string, RuleAction, string | null][]) {
    it(name, () => assert.equal(reason(then, 290), expected));
  }

  it("COST-3: an observed fee counts, an estimate never does", () => {
    const limit: RuleAction = { type: "max_cost", max_cost_minor: 10 };
    for (const [source, expected] of [
      ["provider_webhook_observed", "COST_ABOVE_POLICY_LIMIT"],
      ["estimated_fallback", null],
      ["unknown", null],
    ] as const) {
      const pricing = contractPrices({ [A]: 500 }, { [A]: { pricing_source: source } });
      const decision = decideGiven({ offered: [A], rules: [rule(limit)], pricing });
      assert.equal(decision.evaluations[0]?.exclusionReason, expected);
    }
  });

  it("COST-17: the strictest of several matched limits rules a provider out, in either order", () => {
    const limits = [300, 100].map((minor) => rule({ type: "max_cost", max_cost_minor: minor }));
    for (const rules of [limits, limits.toReversed()]) {
      const decision = decideGiven({ rules, pricing: contractPrices({ [A]: 200, [B]: 90, [C]: 400 }) });
      assert.deepEqual(
        decision.evaluations.map(({ exclusionReason }) => exclusionReason),
        ["COST_ABOVE_POLICY_LIMIT", null, "COST_ABOVE_POLICY_LIMIT"],
      );
      assert.ok(!decision.reasonCodes.includes("COST_LIMIT_NOT_CHECKED"));
    }
  });

  it("COST-18: if a limit was not applied to a provider without a real price, the decision says so and names the provider", () => {
    const checkedOf = (given: Given) => {
      const decision = decideGiven(given);
      const bodies = toEvaluationBodies(decision.evaluations);
      return {
        isSaid: decision.reasonCodes.includes("COST_LIMIT_NOT_CHECKED"),
        checked: bodies.map(({ cost_limit_checked }) => cost_limit_checked),
      };
    };
    const rules = [rule({ type: "max_cost", max_cost_minor: 250 })];
    const estimated = { [B]: { pricing_source: "estimated_fallback" } } as const;
    const pricing = contractPrices({ [A]: 100, [B]: 200 }, estimated);
    assert.deepEqual(checkedOf({ rules, pricing }), { isSaid: true, checked: [true, false, false] });
    assert.deepEqual(checkedOf({ rules }), { isSaid: true, checked: [false, false, false] });
    assert.deepEqual(checkedOf({ rules, pricing, offered: [A] }), { isSaid: false, checked: [true] });
    const unlimited = { isSaid: false, checked: [undefined, undefined, undefined] };
    assert.deepEqual(checkedOf({ pricing }), unlimited);
    const when = { amount_gt: 10_000 };
    const unmatched = [{ when, then: { type: "max_cost", max_cost_minor: 250 } as const }];
    assert.deepEqual(checkedOf({ rules: unmatched, pricing }), unlimited);
  });

  it("ACT-11: a minimum health is looked at first; the last resort ignores both", () => {
    const decision = decideGiven({
      rules: [
        rule({ type: "max_cost", max_cost_minor: 1 }),
        rule({ type: "require_min_health", min_score: 95, providers: [A] }),
      ],
      pricing: contractPrices({ [A]: 100, [B]: 100, [C]: 100 }),
    });
    const reasons = decision.evaluations.map(({ exclusionReason }) => exclusionReason);
    assert.deepEqual(reasons, [
      "HEALTH_BELOW_POLICY_MINIMUM",
      "COST_ABOVE_POLICY_LIMIT",
      "COST_ABOVE_POLICY_LIMIT",
    ]);
    assert.equal(said(decision), `route ${A}/null`);
    assert.equal(decision.reasonCodes[0], "NO_HEALTHY_PROVIDER_AVAILABLE");
  });
});

/** Health from big samples, so that the chance of an approval is the approval rate. Baselines equal it. */
const rates = (a: number, b: number, c: number): NonNullable<Given["healths"]> =>
  Object.fromEntries(
    [a, b, c].map((rate, i) => [`provider_${i + 1}`, { approval_rate: rate, approval_rate_baseline: rate }]),
  );

describe("Model v2: optimize_for", () => {
  const table: [string, Given, string][] = [
    [
      "COST-9: approval: the highest p, whatever score, price or missing price",
      {
        rules: [optimize("approval")],
        healths: { ...rates(0.9, 0.91, 0.9), [A]: { approval_rate: 0.9, score: 100 } },
        pricing: contractPrices({ [A]: 1, [C]: 1 }),
      },
      `${B}/${A}`,
    ],
    [
      "approval: p is drawn to the baseline by few samples",
      {
        offered: [A, B],
        rules: [optimize("approval")],
        healths: {
          [A]: { approval_rate: 1, approval_rate_baseline: 0.7, sample_size: 10 },
          [B]: { approval_rate: 0.9, approval_rate_baseline: 0.9, sample_size: 1000 },
        },
      },
      `${B}/${A}`,
    ],
    [
      "cost: the cheapest",
      { rules: [optimize("cost")], pricing: contractPrices({ [A]: 290, [B]: 310, [C]: 250 }) },
      `${C}/${A}`,
    ],
    [
      "cost: equal prices keep the order offered",
      { rules: [optimize("cost")], pricing: contractPrices({ [A]: 290, [B]: 250, [C]: 250 }) },
      `${B}/${C}`,
    ],
    [
      "COST-10: cost: exactly 100 bps under the best p is within the default",
      {
        rules: [optimize("cost")],
        healths: rates(0.9, 0.9, 0.89),
        pricing: contractPrices({ [A]: 290, [B]: 310, [C]: 250 }),
      },
      `${C}/${A}`,
    ],
    [
      "COST-10: cost: more than that is not",
      {
        rules: [optimize("cost")],
        healths: rates(0.9, 0.9, 0.8899),
        pricing: contractPrices({ [A]: 290, [B]: 310, [C]: 250 }),
      },
      `${A}/${B}`,
    ],
    [
      "RULE-8: cost: unless the rule allows it",
      {
        rules: [optimize("cost", { max_approval_drop_bps: 500 })],
        healths: rates(0.9, 0.9, 0.86),
        pricing: contractPrices({ [A]: 290, [B]: 310, [C]: 250 }),
      },
      `${C}/${A}`,
    ],
    [
      "COST-3, COST-13: cost: an unpriced provider never wins, nor does an estimate",
      {
        rules: [optimize("cost")],
        healths: rates(0.905, 0.905, 0.9),
        pricing: contractPrices({ [A]: 1, [C]: 310 }, { [A]: { pricing_source: "estimated_fallback" } }),
      },
      `${C}/${A}`,
    ],
    [
      "cost: with nobody priced it is the score",
      { rules: [optimize("cost")], healths: { [B]: { score: 95 } }, pricing: contractPrices({}) },
      `${B}/${A}`,
    ],
    [
      "COST-11: balanced: p against cost over the whole amount",
      // The values: 0.90·9500 = 8550, 0.89·9900 = 8811, 0.85·9990 = 8491.5.
      {
        rules: [optimize("balanced")],
        healths: rates(0.9, 0.89, 0.85),
        pricing: contractPrices({ [A]: 500, [B]: 100, [C]: 10 }),
      },
      `${B}/${A}`,
    ],
    [
      "COST-12: margin: the same against 20 % of the amount",
      // The values: 0.90·1500 = 1350, 0.89·1900 = 1691, 0.85·1990 = 1691.5.
      {
        rules: [optimize("margin")],
        healths: rates(0.9, 0.89, 0.85),
        pricing: contractPrices({ [A]: 500, [B]: 100, [C]: 10 }),
      },
      `${C}/${B}`,
    ],
    [
      "COST-12, RULE-8: margin_bps moves the weight back to p",
      {
        rules: [optimize("margin", { margin_bps: 5000 })],
        healths: rates(0.9, 0.89, 0.85),
        pricing: contractPrices({ [A]: 500, [B]: 100, [C]: 10 }),
      },
      `${B}/${C}`,
    ],
    [
      "balanced: an unpriced provider counts as the dearest and loses the tie",
      { rules: [optimize("balanced")], pricing: contractPrices({ [B]: 400, [C]: 300 }) },
      `${C}/${B}`,
    ],
    [
      "balanced: but may win by being approved more often",
      {
        rules: [optimize("balanced")],
        healths: rates(0.95, 0.8, 0.8),
        pricing: contractPrices({ [B]: 400, [C]: 300 }),
      },
      `${A}/${C}`,
    ],
    [
      "balanced: with nobody priced it is p",
      { rules: [optimize("balanced")], healths: rates(0.9, 0.8, 0.95), pricing: contractPrices({}) },
      `${C}/${A}`,
    ],
    [
      "an ineligible provider neither wins nor sets the mark",
      {
        rules: [optimize("cost")],
        healths: { ...rates(0.99, 0.9, 0.9), [A]: { approval_rate: 0.99, state: "critical" } },
        pricing: contractPrices({ [A]: 1, [B]: 300, [C]: 200 }),
      },
      `${C}/${B}`,
    ],
    [
      "SCORE-7: a strict preference comes before the objective",
      {
        rules: [optimize("cost"), rule({ type: "prefer_provider", providers: [A], strict: true, boost: 15 })],
        pricing: contractPrices({ [A]: 290, [B]: 310, [C]: 250 }),
      },
      `${A}/${C}`,
    ],
    [
      "a boost counts for the score and not for the objective",
      {
        rules: [
          optimize("cost"),
          rule({ type: "prefer_provider", providers: [A], strict: false, boost: 100 }),
        ],
        pricing: contractPrices({ [A]: 290, [B]: 310, [C]: 250 }),
      },
      `${C}/${A}`,
    ],
    [
      "SCORE-7: an unmatched objective leaves the ranking to the score",
      {
        rules: [unmatched({ type: "optimize_for", mode: "cost" })],
        pricing: contractPrices({ [A]: 290, [C]: 1 }),
      },
      `${A}/${B}`,
    ],
    ["so does pricing without an objective", { pricing: contractPrices({ [A]: 290, [C]: 1 }) }, `${A}/${B}`],
  ];
  for (const [name, given, expected] of table) {
    it(name, () => assert.equal(said(decideGiven(given)), `route ${expected}`));
  }
});
