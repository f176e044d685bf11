import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compilePolicy } from "../../../../src/domain/policy/compile-policy.js";
import {
  namesOf,
  NOTHING_MATCHED,
  type PolicyEvaluation,
} from "../../../../src/domain/policy/policy-evaluation.js";
import type { RuleAction } from "../../../../src/domain/policy/policy.js";
import { stableHash } from "../../../../src/domain/policy/stable-hash.js";
import { type RuleSpec, policy } from "../decision/situations.js";
import { facts } from "./facts.js";

const evaluate = (...rules: RuleSpec[]) => compilePolicy(policy(rules)).evaluate(facts());
const actions = (...then: RuleAction[]) => evaluate(...then.map((action) => ({ then: action })));
const never = { amount_gt: 10_000 };

describe("the rules that are evaluated", () => {
  it("RULE-11: lower priority first, then rule order; disabled and unmatched rules leave no trace", () => {
    const { matchedRules } = evaluate(
      { name: "c", priority: 20, then: { type: "hold" } },
      { name: "d", priority: 20, then: { type: "hold" } },
      { name: "a", priority: -5, then: { type: "hold" } },
      { name: "off", priority: 1, enabled: false, then: { type: "block" } },
      { name: "unmatched", priority: 1, when: never, then: { type: "block" } },
      { name: "b", priority: 3, then: { type: "hold" } },
    );
    assert.deepEqual(namesOf(matchedRules), ["a", "b", "c", "d"]);
  });

  it("RULE-11: continues after a block: all enabled rules are evaluated", () => {
    const evaluation = actions({ type: "block" }, { type: "hold" }, { type: "step_up" });
    assert.deepEqual(namesOf(evaluation.matchedRules), ["rule_0", "rule_1", "rule_2"]);
    assert.deepEqual([evaluation.block, evaluation.hold, evaluation.stepUp], [true, true, true]);
  });

  it("gives one shared, untouched result when nothing matches", () => {
    assert.equal(evaluate({ when: never, then: { type: "block" } }), NOTHING_MATCHED);
    actions({ type: "block", reason_code: "X" }, { type: "exclude_provider", providers: ["provider_1"] });
    assert.deepEqual(NOTHING_MATCHED.matchedRules, []);
    assert.equal(NOTHING_MATCHED.block, false);
    assert.equal(NOTHING_MATCHED.excludes("provider_1"), false);
  });

  it("keeps nothing from one evaluation to the next", () => {
    const compiled = compilePolicy(
      policy([
        { then: { type: "exclude_provider", providers: ["provider_1"] } },
        { when: { amount_gt: 10_000 }, then: { type: "exclude_provider", providers: ["provider_2"] } },
      ]),
    );
    assert.equal(compiled.evaluate(facts({ amount: 20_000 })).excludes("provider_2"), true);
    assert.equal(compiled.evaluate(facts()).excludes("provider_2"), false);
  });
});

describe("several matched rules of one kind", () => {
  for (const [type, field] of [
    ["block", "blockReasonCode"],
    ["hold", "holdReasonCode"],
    ["step_up", "stepUpReasonCode"],
  ] as const) {
    it(`${type}: the first reason_code wins, with or without a rule that gives none before it`, () => {
      const codes = actions({ type }, { type, reason_code: "FIRST" }, { type, reason_code: "SECOND" });
      assert.equal(codes[field], "FIRST");
    });
  }

  it("RULE-12: exclusions add up", () => {
    const evaluation = actions(
      { type: "exclude_provider", providers: ["provider_1"] },
      { type: "exclude_provider", providers: ["provider_2"] },
    );
    const excluded = ["provider_1", "provider_2", "provider_3"].map((provider) =>
      evaluation.excludes(provider),
    );
    assert.deepEqual(excluded, [true, true, false]);
  });

  it("RULE-12: restrictions intersect, down to nobody", () => {
    const restrict = (...providers: string[]): RuleAction => ({ type: "restrict_providers", providers });
    const two = actions(restrict("provider_1", "provider_2"), restrict("provider_2", "provider_3"));
    assert.deepEqual(
      ["provider_1", "provider_2", "provider_3"].map((id) => two.excludes(id)),
      [true, false, true],
    );
    const none = actions(restrict("provider_1"), restrict("provider_2"));
    assert.deepEqual(
      ["provider_1", "provider_2"].map((id) => none.excludes(id)),
      [true, true],
    );
  });

  it("RULE-3: exclude and restrict both hold", () => {
    const evaluation = actions(
      { type: "restrict_providers", providers: ["provider_1", "provider_2"] },
      { type: "exclude_provider", providers: ["provider_1"] },
    );
    assert.deepEqual(
      ["provider_1", "provider_2", "provider_3"].map((id) => evaluation.excludes(id)),
      [true, false, true],
    );
  });

  it("RULE-12: minimums take the highest that covers the provider, in any order", () => {
    const minimums: RuleAction[] = [
      { type: "require_min_health", min_score: 60 },
      { type: "require_min_health", min_score: 80, providers: ["provider_1"] },
      { type: "require_min_health", min_score: 40, providers: ["provider_1", "provider_2"] },
    ];
    for (const order of [minimums, minimums.toReversed()]) {
      const evaluation = actions(...order);
      assert.equal(evaluation.minHealthOf("provider_1"), 80);
      assert.equal(evaluation.minHealthOf("provider_2"), 60);
    }
    assert.equal(actions(minimums[1] as RuleAction).minHealthOf("provider_2"), 0);
  });

  it("no_retry lists add up", () => {
    const evaluation = actions(
      { type: "no_retry", reason_codes: ["05"] },
      { type: "no_retry", reason_codes: ["51", "x"] },
    );
    assert.deepEqual([...evaluation.noRetryReasonCodes], ["05", "51", "x"]);
  });

  it("COST-17: every matched max_cost applies, and the strictest of each limit wins", () => {
    const limits: RuleAction[] = [
      { type: "max_cost", max_effective_bps: 300 },
      { type: "max_cost", max_effective_bps: 200, max_cost_minor: 500 },
      { type: "max_cost", max_cost_minor: 100 },
    ];
    for (const order of [limits, limits.toReversed()]) {
      const evaluation = actions(...order);
      assert.deepEqual([evaluation.maxEffectiveBps, evaluation.maxCostMinor], [200, 100]);
    }
    const alone = actions(
      { type: "max_cost", max_effective_bps: 0 },
      { type: "max_cost", max_cost_minor: 7 },
    );
    assert.deepEqual([alone.maxEffectiveBps, alone.maxCostMinor], [0, 7]);
  });

  const first: [
    string,
    RuleAction,
    RuleAction,
    (evaluation: Readonly<PolicyEvaluation>) => unknown,
    unknown,
  ][] = [
    [
      "prefer_provider",
      { type: "prefer_provider", providers: ["provider_2"], strict: true, boost: 15 },
      { type: "prefer_provider", providers: ["provider_1"], strict: false, boost: 90 },
      ({ preference }) => preference,
      { providers: ["provider_2"], strict: true, boost: 15 },
    ],
    [
      "retry_on_timeout",
      { type: "retry_on_timeout", same_provider: false },
      { type: "retry_on_timeout", same_provider: true },
      ({ retryOnTimeout }) => retryOnTimeout,
      { sameProvider: false },
    ],
    [
      "optimize_for, margin_bps included",
      { type: "optimize_for", mode: "margin" },
      { type: "optimize_for", mode: "cost", margin_bps: 1, max_approval_drop_bps: 1 },
      ({ optimizeFor }) => optimizeFor,
      { mode: "margin", marginBps: 2000, maxApprovalDropBps: 100 },
    ],
    [
      "split_traffic",
      { type: "split_traffic", weights: { provider_2: 100 } },
      { type: "split_traffic", weights: { provider_1: 100 } },
      ({ trafficSplit }) => trafficSplit?.("order_1"),
      "provider_2",
    ],
  ];
  for (const [name, one, two, read, expected] of first) {
    it(`RULE-12: ${name}: the first wins`, () => {
      const given = read(actions(one, two));
      assert.deepEqual(given, expected);
    });
  }
});

describe("COST-12: Model v2: optimize_for's parameters", () => {
  it("margin_bps counts for mode margin only; the others take the whole amount", () => {
    const margin = (mode: "approval" | "cost" | "balanced" | "margin") =>
      actions({ type: "optimize_for", mode, margin_bps: 500 }).optimizeFor?.marginBps;
    assert.deepEqual(
      [margin("margin"), margin("balanced"), margin("approval"), margin("cost")],
      [500, 10_000, 10_000, 10_000],
    );
  });

  it("declares cost controls by an enabled max_cost or optimize_for rule, matched or not", () => {
    const declares = (rule: RuleSpec) => compilePolicy(policy([rule])).declaresCostControls;
    assert.equal(declares({ when: never, then: { type: "max_cost", max_cost_minor: 1 } }), true);
    assert.equal(declares({ when: never, then: { type: "optimize_for", mode: "approval" } }), true);
    assert.equal(declares({ enabled: false, then: { type: "optimize_for", mode: "cost" } }), false);
    assert.equal(declares({ then: { type: "hold" } }), false);
  });
});

describe("split_traffic", () => {
  const split = (weights: Record<string, number>) => actions({ type: "split_traffic", weights }).trafficSplit;

  it("RULE-9: lays the percentages end to end in the order of provider ids", () => {
    const pick = split({ provider_1: 30, provider_2: 0, provider_3: 70 });
    for (let i = 0; i < 500; i++) {
      const orderId = `order_${i}`;
      assert.equal(pick?.(orderId), stableHash(orderId) % 100 < 30 ? "provider_1" : "provider_3");
    }
  });

  it("does not depend on the order in which the weights are stored", () => {
    const one = split({ provider_1: 30, provider_2: 45, provider_3: 25 });
    const other = split({ provider_3: 25, provider_2: 45, provider_1: 30 });
    for (let i = 0; i < 500; i++) assert.equal(one?.(`order_${i}`), other?.(`order_${i}`));
  });

  it("gives each provider its share of many orders", () => {
    const pick = split({ provider_1: 10, provider_2: 90 });
    let first = 0;
    for (let i = 0; i < 20_000; i++) if (pick?.(`order_${i}`) === "provider_1") first++;
    // The expected number is 2000, and five standard deviations are 212.
    assert.ok(Math.abs(first - 2000) < 212, `${first} of 20000`);
  });
});

describe("policy explanation", () => {
  it("names, for every enabled rule in order, the first key that did not hold", () => {
    const compiled = compilePolicy(
      policy([
        {
          name: "late",
          priority: 30,
          when: { amount_gte: 1, currency_in: ["EUR"], country_in: ["DE"] },
          then: { type: "hold" },
        },
        { name: "nested", priority: 20, when: { amount_gte: 1, any_of: [never] }, then: { type: "hold" } },
        { name: "early", priority: 10, when: { amount_gte: 1 }, then: { type: "hold" } },
        { name: "off", priority: 5, enabled: false, then: { type: "hold" } },
      ]),
    );
    assert.deepEqual(compiled.explain(facts()), [
      { name: "early", matched: true, stoppedBy: null },
      { name: "nested", matched: false, stoppedBy: "any_of" },
      { name: "late", matched: false, stoppedBy: "currency_in" },
    ]);
  });
});
