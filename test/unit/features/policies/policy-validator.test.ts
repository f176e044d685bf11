import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createPolicyValidator,
  type ValidPolicy,
} from "../../../../src/features/policies/wire/policy-validator.js";
import { CONDITION_KEYS, compileConditions } from "../../../../src/domain/policy/compile-conditions.js";
import { conditionsSchema } from "../../../../src/features/policies/wire/policy-condition-schema.js";

const PROVIDERS = ["provider_1", "provider_2", "provider_3"];
const validator = createPolicyValidator({ providers: PROVIDERS, nextId: () => "01jd4wqk2m0000000000000000" });

type Fields = Readonly<Record<string, unknown>>;

const RULE: Fields = { name: "rule", when: {}, then: { type: "hold" } };

function accepted(rules: readonly unknown[], top: Fields = {}): ValidPolicy {
  const judged = validator.validate({ ...top, rules });
  assert.ok(judged.ok, JSON.stringify(judged));
  return judged.policy;
}

function refusals(source: Parameters<typeof validator.validate>[0]): string[] {
  const judged = validator.validate(source);
  assert.ok(!judged.ok, "let through");
  return judged.issues.map(({ path, code, severity }) => {
    assert.equal(severity, "error");
    return `${code} ${path}`;
  });
}

const ruleRefusals = (changes: Fields) => refusals({ rules: [{ ...RULE, ...changes }] });
const thenOf = (then: Fields) => accepted([{ ...RULE, then }]).rules[0]?.then;

describe("missing rule_id, enabled and priority are filled in", () => {
  it("POL-5: rule_ with a new id, true, and ten times the rule's position counted from 1", () => {
    const given = { ...RULE, name: "given", rule_id: "my.rule:1", enabled: false, priority: -7 };
    assert.deepEqual(accepted([RULE, given, { ...RULE, name: "third", rule_id: "r3" }]).rules, [
      { ...RULE, rule_id: "rule_01jd4wqk2m0000000000000000", priority: 10, enabled: true },
      given,
      { ...RULE, name: "third", rule_id: "r3", priority: 30, enabled: true },
    ]);
  });

  it("default_provider stays, and is null where none or null is given", () => {
    assert.equal(accepted([], { default_provider: "provider_2" }).default_provider, "provider_2");
    assert.deepEqual(accepted([]), { default_provider: null, rules: [] });
    assert.deepEqual(accepted([], { default_provider: null }), { default_provider: null, rules: [] });
  });
});

describe("RULE-2, RULE-5, RULE-10: then: accepted spellings and defaults", () => {
  const cases: readonly [wire: Fields, normal: Fields][] = [
    [{ type: "block" }, { type: "block" }],
    [
      { type: "hold", reason_code: "LARGE_ORDER_2" },
      { type: "hold", reason_code: "LARGE_ORDER_2" },
    ],
    [{ type: "step_up" }, { type: "step_up" }],
    [
      { type: "prefer_provider", providers: ["provider_2", "provider_1"] },
      { type: "prefer_provider", providers: ["provider_2", "provider_1"], strict: true, boost: 15 },
    ],
    [
      { type: "preferred_provider", provider: "provider_3", strict: false, boost: 0 },
      { type: "prefer_provider", providers: ["provider_3"], strict: false, boost: 0 },
    ],
    [
      { type: "excluded_provider", provider: "provider_1" },
      { type: "exclude_provider", providers: ["provider_1"] },
    ],
    [
      { type: "exclude_provider", providers: ["provider_1"] },
      { type: "exclude_provider", providers: ["provider_1"] },
    ],
    [
      { type: "restrict_providers", provider: "provider_1" },
      { type: "restrict_providers", providers: ["provider_1"] },
    ],
    [
      { type: "require_min_health", min_score: 70 },
      { type: "require_min_health", min_score: 70 },
    ],
    [
      { type: "require_min_health", min_score: 0, provider: "provider_1" },
      { type: "require_min_health", min_score: 0, providers: ["provider_1"] },
    ],
    [{ type: "retry_on_timeout" }, { type: "retry_on_timeout", same_provider: true }],
    [
      { type: "retry_on_timeout", same_provider: false },
      { type: "retry_on_timeout", same_provider: false },
    ],
    [
      { type: "no_retry", reason_codes: ["05", "do_not_honor"] },
      { type: "no_retry", reason_codes: ["05", "do_not_honor"] },
    ],
    [
      { type: "max_cost", max_effective_bps: 290 },
      { type: "max_cost", max_effective_bps: 290 },
    ],
    [
      { type: "max_cost", max_cost_minor: 0, max_effective_bps: 0 },
      { type: "max_cost", max_cost_minor: 0, max_effective_bps: 0 },
    ],
    [
      { type: "optimize_for", mode: "margin", margin_bps: 2500, max_approval_drop_bps: 50 },
      { type: "optimize_for", mode: "margin", margin_bps: 2500, max_approval_drop_bps: 50 },
    ],
    [
      { type: "split_traffic", weights: { provider_1: 100, provider_2: 0 } },
      { type: "split_traffic", weights: { provider_1: 100, provider_2: 0 } },
    ],
  ];
  for (const [wire, normal] of cases) {
    it(JSON.stringify(wire), () => assert.deepEqual(thenOf(wire), normal));
  }
});

describe("then: the refused values", () => {
  const cases: readonly [what: string, then: unknown, issues: string[]][] = [
    ["no type", {}, ["invalid_type rules.0.then.type"]],
    ["an unknown type", { type: "allow" }, ["invalid_enum_value rules.0.then.type"]],
    ["a type of Object's own", { type: "constructor" }, ["invalid_enum_value rules.0.then.type"]],
    ["no object", "block", ["invalid_type rules.0.then"]],
    ["a list", [], ["invalid_type rules.0.then"]],
    ["an unknown option", { type: "block", note: "x" }, ["unrecognized_keys rules.0.then.note"]],
    [
      "an option of another type",
      { type: "block", providers: ["provider_1"] },
      ["unrecognized_keys rules.0.then.providers"],
    ],
    [
      "a reason code in lower case",
      { type: "hold", reason_code: "large" },
      ["invalid_string rules.0.then.reason_code"],
    ],
    [
      "a reason code of words",
      { type: "hold", reason_code: "LARGE ORDER" },
      ["invalid_string rules.0.then.reason_code"],
    ],
    ["65 characters", { type: "hold", reason_code: "A".repeat(65) }, ["too_big rules.0.then.reason_code"]],
    ["no providers", { type: "prefer_provider" }, ["invalid_type rules.0.then.providers"]],
    [
      "providers and provider",
      { type: "exclude_provider", providers: ["provider_1"], provider: "provider_1" },
      ["custom rules.0.then.provider"],
    ],
    ["an empty list", { type: "exclude_provider", providers: [] }, ["too_small rules.0.then.providers"]],
    [
      "an unknown provider",
      { type: "restrict_providers", providers: ["provider_9"] },
      ["invalid_enum_value rules.0.then.providers.0"],
    ],
    [
      "a provider twice",
      { type: "prefer_provider", providers: ["provider_1", "provider_1"] },
      ["custom rules.0.then.providers"],
    ],
    [
      "a boost above 100",
      { type: "prefer_provider", provider: "provider_1", boost: 101 },
      ["too_big rules.0.then.boost"],
    ],
    ["a score under 0", { type: "require_min_health", min_score: -1 }, ["too_small rules.0.then.min_score"]],
    ["no score", { type: "require_min_health" }, ["invalid_type rules.0.then.min_score"]],
    ["max_cost without a limit", { type: "max_cost" }, ["custom rules.0.then"]],
    [
      "bps of more than the amount",
      { type: "max_cost", max_effective_bps: 10_001 },
      ["too_big rules.0.then.max_effective_bps"],
    ],
    [
      "half a minor unit",
      { type: "max_cost", max_cost_minor: 0.5 },
      ["invalid_type rules.0.then.max_cost_minor"],
    ],
    ["optimize_for without a mode", { type: "optimize_for" }, ["invalid_type rules.0.then.mode"]],
    ["an unknown mode", { type: "optimize_for", mode: "speed" }, ["invalid_enum_value rules.0.then.mode"]],
    [
      "a negative margin",
      { type: "optimize_for", mode: "margin", margin_bps: -1 },
      ["too_small rules.0.then.margin_bps"],
    ],
    [
      "weights of 99",
      { type: "split_traffic", weights: { provider_1: 33, provider_2: 66 } },
      ["custom rules.0.then.weights"],
    ],
    [
      "weights of 101",
      { type: "split_traffic", weights: { provider_1: 35, provider_2: 66 } },
      ["custom rules.0.then.weights"],
    ],
    ["no weights", { type: "split_traffic", weights: {} }, ["custom rules.0.then.weights"]],
    [
      "half a percent",
      { type: "split_traffic", weights: { provider_1: 99.5, provider_2: 0.5 } },
      ["invalid_type rules.0.then.weights.provider_1", "invalid_type rules.0.then.weights.provider_2"],
    ],
    [
      "a weight of nobody",
      { type: "split_traffic", weights: { provider_1: 50, provider_9: 50 } },
      ["unrecognized_keys rules.0.then.weights.provider_9"],
    ],
    ["no reason codes", { type: "no_retry", reason_codes: [] }, ["too_small rules.0.then.reason_codes"]],
    [
      "a reason code of 65 characters",
      { type: "no_retry", reason_codes: ["x".repeat(65)] },
      ["too_big rules.0.then.reason_codes.0"],
    ],
  ];
  for (const [what, then, issues] of cases) {
    it(what, () => assert.deepEqual(ruleRefusals({ then }), issues));
  }

  for (const reason_code of ["SDK_FALLBACK_USED", "PAYINFERENCE_TIMEOUT", "PAYINFERENCE_UNREACHABLE"]) {
    it(`CODE-5: the client library's own ${reason_code} as a reason code`, () =>
      assert.deepEqual(ruleRefusals({ then: { type: "block", reason_code } }), [
        "custom rules.0.then.reason_code",
      ]));
  }
});

describe("when: the refused values", () => {
  const any = (list: unknown[]): Fields => ({ any_of: list });
  const cases: readonly [what: string, when: unknown, issues: string[]][] = [
    ["an unknown key", { amount_above: 5 }, ["unrecognized_keys rules.0.when.amount_above"]],
    ["an unknown field's known suffix", { email_in: ["x"] }, ["unrecognized_keys rules.0.when.email_in"]],
    ["a key that is no identifier", { "4111111111111111": 1 }, ["unrecognized_keys rules.0.when.[redacted]"]],
    [
      "an unknown key in a branch",
      any([{}, { none_of: [{ x: 1 }] }]),
      ["unrecognized_keys rules.0.when.any_of.1.none_of.0.x"],
    ],
    ["a bound as text", { amount_gte: "5000" }, ["invalid_type rules.0.when.amount_gte"]],
    ["a decimal amount", { amount_gte: 50.5 }, ["invalid_type rules.0.when.amount_gte"]],
    ["a negative amount", { amount_gte: -1 }, ["too_small rules.0.when.amount_gte"]],
    ["an amount past 2^53−1", { amount_lt: 2 ** 53 }, ["too_big rules.0.when.amount_lt"]],
    ["a risk score above 100", { risk_score_gte: 101 }, ["too_big rules.0.when.risk_score_gte"]],
    ["an hour 24", { hour_utc_gte: 24 }, ["too_big rules.0.when.hour_utc_gte"]],
    ["a weekday 0", { weekday_utc_lte: 0 }, ["too_small rules.0.when.weekday_utc_lte"]],
    ["a sample above all", { sample_bps_lt: 10_001 }, ["too_big rules.0.when.sample_bps_lt"]],
    ["a list that is none", { currency_in: "USD" }, ["invalid_type rules.0.when.currency_in"]],
    ["a currency that is none", { currency_in: ["usd"] }, ["invalid_string rules.0.when.currency_in.0"]],
    ["a country that is none", { country_not_in: ["XX"] }, ["invalid_string rules.0.when.country_not_in.0"]],
    [
      "a word outside of the enum",
      { customer_type_in: ["vip"] },
      ["invalid_enum_value rules.0.when.customer_type_in.0"],
    ],
    [
      "an unknown provider",
      { offered_provider_in: ["provider_9"] },
      ["invalid_enum_value rules.0.when.offered_provider_in.0"],
    ],
    ["a flag as text", { ip_country_match_is: "true" }, ["invalid_type rules.0.when.ip_country_match_is"]],
    [
      "a health state without its provider",
      { provider_health_state_in: { states: [] } },
      ["invalid_type rules.0.when.provider_health_state_in.provider"],
    ],
    ["null", { amount_gte: null }, ["invalid_type rules.0.when.amount_gte"]],
    ["no object", [], ["invalid_type rules.0.when"]],
    ["any_of that is no list", { any_of: {} }, ["invalid_type rules.0.when.any_of"]],
    ["a branch that is no object", any([5]), ["invalid_type rules.0.when.any_of.0"]],
    [
      "COND-2: four levels",
      any([any([any([any([{}])])])]),
      ["custom rules.0.when.any_of.0.any_of.0.any_of.0.any_of"],
    ],
    [
      "501 values",
      { previous_reason_code_in: Array.from({ length: 501 }, (_, i) => `c${i}`) },
      ["too_big rules.0.when.previous_reason_code_in"],
    ],
    [
      "COND-16: 21 prefixes",
      { order_id_prefix: Array.from({ length: 21 }, (_, i) => `p${i}`) },
      ["too_big rules.0.when.order_id_prefix"],
    ],
    ["an empty prefix", { order_id_prefix: ["sub_", ""] }, ["too_small rules.0.when.order_id_prefix.1"]],
    [
      "a prefix of 129 characters",
      { order_id_prefix: ["x".repeat(129)] },
      ["too_big rules.0.when.order_id_prefix.0"],
    ],
    ["a prefix that is no list", { order_id_prefix: "sub_" }, ["invalid_type rules.0.when.order_id_prefix"]],
    ["201 conditions", any(Array.from({ length: 200 }, () => ({}))), ["too_big rules.0.when"]],
  ];
  for (const [what, when, issues] of cases) {
    it(what, () => assert.deepEqual(ruleRefusals({ when }), issues));
  }
});

describe("COND-1: when: the accepted values", () => {
  it("exactly the keys that can be evaluated", () => {
    const { properties } = conditionsSchema(PROVIDERS) as { properties: Fields };
    assert.deepEqual(Object.keys(properties).toSorted(), CONDITION_KEYS.toSorted());
  });

  const whens: Fields[] = [
    {},
    { any_of: [{ all_of: [{ none_of: [{ amount_gte: 5 }] }] }] },
    { currency_in: [] },
    { hour_utc_lt: 24, weekday_utc_lt: 8, risk_score_lt: 101, risk_score_gt: -1, weekday_utc_gt: 0 },
    { sample_bps_lt: 0 },
    { order_id_prefix: Array.from({ length: 20 }, (_, i) => `p${i}`) },
    { any_of: [] },
    { currency_in: ["USD", "USD"] },
    { provider_health_state_in: { provider: "provider_1", states: ["unknown"] } },
    { any_of: Array.from({ length: 199 }, () => ({})) },
  ];
  for (const when of whens) {
    it(JSON.stringify(when).slice(0, 100), () => {
      const [rule] = accepted([{ ...RULE, when }]).rules;
      assert.deepEqual(rule?.when, when);
      compileConditions(rule.when, rule.rule_id);
    });
  }
});

describe("rules and default_provider", () => {
  const cases: readonly [what: string, source: Fields, issues: string[]][] = [
    ["no rules", {}, ["invalid_type rules"]],
    ["rules that are no list", { rules: { 0: RULE } }, ["invalid_type rules"]],
    ["rules of null", { rules: null }, ["invalid_type rules"]],
    ["a rule that is no object", { rules: [5] }, ["invalid_type rules.0"]],
    [
      "an unknown default_provider",
      { default_provider: "provider_9", rules: [] },
      ["invalid_enum_value default_provider"],
    ],
    ["a default_provider of 5", { default_provider: 5, rules: [] }, ["invalid_type default_provider"]],
    [
      "a rule without anything",
      { rules: [{}] },
      ["invalid_type rules.0.name", "invalid_type rules.0.when", "invalid_type rules.0.then"],
    ],
    ["POL-4: an unknown field", { rules: [{ ...RULE, note: "x" }] }, ["unrecognized_keys rules.0.note"]],
    ["an empty name", { rules: [{ ...RULE, name: "" }] }, ["too_small rules.0.name"]],
    ["a name of 121 characters", { rules: [{ ...RULE, name: "n".repeat(121) }] }, ["too_big rules.0.name"]],
    ["an empty rule_id", { rules: [{ ...RULE, rule_id: "" }] }, ["too_small rules.0.rule_id"]],
    [
      "a rule_id of 129 characters",
      { rules: [{ ...RULE, rule_id: "r".repeat(129) }] },
      ["too_big rules.0.rule_id"],
    ],
    [
      "a rule_id with U+0000",
      { rules: [{ ...RULE, rule_id: "a\u0000b" }] },
      ["invalid_string rules.0.rule_id"],
    ],
    ["a decimal priority", { rules: [{ ...RULE, priority: 1.5 }] }, ["invalid_type rules.0.priority"]],
    ["enabled as text", { rules: [{ ...RULE, enabled: "no" }] }, ["invalid_type rules.0.enabled"]],
    [
      "LINT-7: a rule_id for the second and third time",
      { rules: [1, 2, 3].map((n) => ({ ...RULE, name: `n${n}`, rule_id: "same" })) },
      ["custom rules.1.rule_id", "custom rules.2.rule_id"],
    ],
  ];
  for (const [what, source, issues] of cases) {
    it(`refuses ${what}`, () => assert.deepEqual(refusals(source), issues));
  }

  const many = (length: number): unknown[] =>
    Array.from({ length }, (_, i) => ({ ...RULE, name: `rule ${i}` }));
  it("POL-1: takes 100 rules and refuses 101, without a word about each", () => {
    assert.equal(accepted(many(100)).rules.length, 100);
    assert.deepEqual(refusals({ rules: [...many(100), {}] }), ["too_big rules"]);
  });

  it("reports the issues of every part of a rule at once, and at most 20", () => {
    const broken = { ...RULE, name: 5, when: { x: 1 }, then: { type: "block", y: 1 } };
    assert.deepEqual(ruleRefusals(broken), [
      "invalid_type rules.0.name",
      "unrecognized_keys rules.0.when.x",
      "unrecognized_keys rules.0.then.y",
    ]);
    assert.equal(refusals({ rules: Array.from({ length: 50 }, () => ({})) }).length, 20);
  });
});

describe("POL-6: warnings", () => {
  it("have a path, a code of the contract's and severity warning, and reject nothing here", () => {
    const judged = validator.validate({ rules: [{ ...RULE, when: { currency_in: [] } }] });
    assert.ok(judged.ok);
    assert.deepEqual(judged.warnings, [
      {
        path: "rules.0.when",
        code: "custom",
        message: "The rule can never match: nothing satisfies its conditions on currency",
        severity: "warning",
      },
    ]);
  });
});
