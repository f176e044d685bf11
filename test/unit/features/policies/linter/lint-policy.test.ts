import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lintPolicy } from "../../../../../src/features/policies/linter/lint-policy.js";
import type { Conditions, Rule, RuleAction } from "../../../../../src/domain/policy/policy.js";
import { rules, type RuleSpec } from "../../../../support/people/tenants.js";

const PROVIDERS = ["provider_1", "provider_2", "provider_3", "provider_4", "provider_5"];
const HOLD: RuleAction = { type: "hold" };
const BLOCK: RuleAction = { type: "block" };

const NEVER = "never";
const AMOUNT = "amount";
const SHADOWED = "shadowed";
const NAME = "name";
const EXCLUDED = "excluded";
const DEFAULT = "default";
const EMPTY = "empty";
const NO_BRANCH = "no branch";
const KINDS: readonly [pattern: RegExp, kind: string][] = [
  [/^The rule can never match/, NEVER],
  [/^A condition on amount needs one on currency/, AMOUNT],
  [/^An earlier rule blocks every payment/, SHADOWED],
  [/^An earlier rule has the same name$/, NAME],
  [/^The rules exclude every provider unconditionally$/, EXCLUDED],
  [/^The rules exclude this provider unconditionally$/, DEFAULT],
  [/^The policy has no rules and no default_provider$/, EMPTY],
  [/^The group is empty: it \w+ holds$/, NO_BRANCH],
];

function lint(list: Rule[], defaultProvider: string | null = null): string[] {
  const policy = { rules: list, default_provider: defaultProvider };
  return lintPolicy(policy, PROVIDERS).map(({ path, message }) => {
    const kind = KINDS.find(([pattern]) => pattern.test(message))?.[1];
    assert.ok(kind !== undefined, message);
    return `${kind} ${path}`;
  });
}

const lintRules = (specs: readonly RuleSpec[], defaultProvider?: string) =>
  lint(rules(specs), defaultProvider);
const lintWhen = (when: Conditions) => lintRules([{ name: "rule", when, then: HOLD }]);
const USD: Conditions = { currency_in: ["USD"] };

const CAN_NEVER_MATCH: readonly [what: string, when: Conditions][] = [
  ["bounds that leave nothing", { ...USD, amount_gte: 5000, amount_lt: 5000 }],
  ["open bounds around no integer", { ...USD, amount_gt: 4, amount_lt: 5 }],
  [
    "a bound against one of another any_of",
    { ...USD, amount_gte: 10, any_of: [{ amount_lt: 5 }, { amount_lte: 9 }] },
  ],
  [
    "a bound inside all_of",
    { velocity_count_1h_lt: 3, all_of: [{ all_of: [{ velocity_count_1h_gte: 3 }] }] },
  ],
  ["a score above 100", { risk_score_gt: 100 }],
  ["an hour after 23", { hour_utc_gt: 23 }],
  ["a weekday before 1", { weekday_utc_lt: 1 }],
  ["an amount under 1", { ...USD, amount_lt: 1 }],
  ["a count under 0", { previous_success_count_lt: 0 }],
  ["a sample of nobody", { sample_bps_lt: 0 }],
  ["no prefix", { order_id_prefix: [] }],
  [
    "two beginnings of one id",
    { order_id_prefix: ["sub_"], all_of: [{ order_id_prefix: ["inv_", "ord_"] }] },
  ],
  [
    "a beginning that is ruled out by a shorter one",
    { order_id_prefix: ["sub_1", "sub_2"], none_of: [{ order_id_prefix: ["sub"] }] },
  ],
  ["two samples of one bucket", { sample_bps_lt: 100, none_of: [{ sample_bps_lt: 5000 }] }],
  ["an empty list", { currency_in: [] }],
  ["an empty list of states", { provider_health_state_in: { provider: "provider_1", states: [] } }],
  ["any_of of nothing but contradictions", { any_of: [{ country_in: [] }, { risk_score_gt: 100 }] }],
  ["none_of of what always holds", { none_of: [{}] }],
  ["_in within _not_in", { country_in: ["NG", "KE"], country_not_in: ["KE", "NG", "US"] }],
  ["two lists with nothing in common", { country_in: ["NG"], all_of: [{ country_in: ["KE"] }] }],
  ["every value of an enum refused", { mode_not_in: ["test", "live"] }],
  ["every provider refused", { offered_provider_not_in: PROVIDERS }],
  [
    "a provider asked for and refused",
    { offered_provider_in: ["provider_1"], offered_provider_not_in: ["provider_1"] },
  ],
  ["an offer of none", { offered_provider_count_lt: 1 }],
  ["an offer of more than there are", { offered_provider_count_gt: 5 }],
  [
    "an offer larger than what may be in it",
    { offered_provider_count_gte: 4, offered_provider_not_in: ["provider_1", "provider_2"] },
  ],
  [
    "two providers in an offer of one",
    {
      offered_provider_count_lte: 1,
      all_of: [{ offered_provider_in: ["provider_1"] }, { offered_provider_in: ["provider_2"] }],
    },
  ],
  ["both values of a flag", { ip_country_match_is: true, none_of: [{ ip_country_match_is: true }] }],
  [
    "no previous attempt, and its outcome",
    { has_previous_attempt_is: false, previous_outcome_in: ["timeout"] },
  ],
  [
    "no previous attempt, and not its provider",
    { has_previous_attempt_is: false, previous_provider_not_in: ["provider_1"] },
  ],
  [
    "no previous attempt, and its reason",
    { none_of: [{ has_previous_attempt_is: true }], previous_reason_code_in: ["05"] },
  ],
  [
    "a previous attempt without an outcome",
    { has_previous_attempt_is: true, none_of: [{ previous_outcome_in: ["timeout", "declined", "error"] }] },
  ],
  [
    "an outcome without a provider",
    { previous_outcome_in: ["error"], none_of: [{ previous_provider_in: PROVIDERS }] },
  ],
  ["a band and a score outside of it", { risk_band_in: ["low", "medium"], computed_risk_score_gte: 65 }],
  ["a computed score under the merchant's own", { risk_score_gte: 70, computed_risk_score_lt: 70 }],
  ["a low band with a high supplied score", { merchant_supplied_risk_score_gte: 40, risk_band_in: ["low"] }],
  [
    "a condition and its own negation",
    { ...USD, amount_gte: 5, none_of: [{ currency_in: ["USD", "EUR"], amount_gte: 5 }] },
  ],
  [
    "one provider's state twice",
    {
      provider_health_state_in: { provider: "provider_1", states: ["healthy"] },
      all_of: [{ provider_health_state_in: { provider: "provider_1", states: ["degraded", "critical"] } }],
    },
  ],
];

const CAN_MATCH: readonly [what: string, when: Conditions][] = [
  ["no condition", {}],
  [
    "a longer beginning of the same id",
    { order_id_prefix: ["sub_", "x"], all_of: [{ order_id_prefix: ["sub_1"] }] },
  ],
  [
    "a beginning but for a longer one",
    { order_id_prefix: ["sub_"], none_of: [{ order_id_prefix: ["sub_1"] }] },
  ],
  ["bounds around one integer", { ...USD, amount_gte: 5, amount_lte: 5 }],
  [
    "the ends of every domain",
    { risk_score_gte: 100, hour_utc_gte: 23, weekday_utc_lte: 1, sample_bps_lt: 1 },
  ],
  ["an absent field under none_of", { none_of: [{ risk_score_gte: 0 }] }],
  [
    "every value of an optional enum under none_of",
    { none_of: [{ customer_type_in: ["new", "returning", "guest"] }] },
  ],
  [
    "both flag values under none_of: absent",
    { none_of: [{ ip_country_match_is: true }, { ip_country_match_is: false }] },
  ],
  [
    "a list and its _not_in under none_of: absent",
    { none_of: [{ card_network_in: ["visa"] }, { card_network_not_in: ["visa"] }] },
  ],
  ["an empty _not_in", { country_not_in: [] }],
  ["one branch of several", { any_of: [{ country_in: [] }, { country_in: ["NG"] }] }],
  ["an empty list under none_of", { none_of: [{ country_in: [] }] }],
  ["overlapping lists", { country_in: ["NG", "KE"], country_not_in: ["KE"] }],
  [
    "an attempt without a reason code",
    { has_previous_attempt_is: true, none_of: [{ previous_reason_code_not_in: [] }] },
  ],
  [
    "no attempt, and none of its outcomes",
    { has_previous_attempt_is: false, none_of: [{ previous_outcome_in: ["timeout"] }] },
  ],
  ["another reason code than those listed", { previous_reason_code_not_in: ["05", "51"] }],
  ["a band and a score at its edge", { risk_band_in: ["high"], computed_risk_score_lte: 65 }],
  ["a computed score above the merchant's own", { risk_score_lt: 10, computed_risk_score_gte: 90 }],
  [
    "two providers in an offer of two",
    {
      offered_provider_count_lte: 2,
      all_of: [{ offered_provider_in: ["provider_1"] }, { offered_provider_in: ["provider_2"] }],
    },
  ],
  [
    "states of two providers",
    {
      provider_health_state_in: { provider: "provider_1", states: ["healthy"] },
      all_of: [{ provider_health_state_in: { provider: "provider_2", states: ["critical"] } }],
    },
  ],
];

describe("LINT-8: Warnings: an empty group", () => {
  const cases: readonly [what: string, when: Conditions, warnings: string[]][] = [
    ["all_of", { all_of: [] }, ["no branch rules.0.when.all_of"]],
    ["none_of", { none_of: [] }, ["no branch rules.0.when.none_of"]],
    ["any_of, which never holds", { any_of: [] }, ["never rules.0.when", "no branch rules.0.when.any_of"]],
    [
      "each of several, at any depth",
      { country_in: ["NG"], any_of: [{ mode_in: ["test"] }, { all_of: [], none_of: [{ any_of: [] }] }] },
      ["no branch rules.0.when.any_of.1.all_of", "no branch rules.0.when.any_of.1.none_of.0.any_of"],
    ],
  ];
  for (const [what, when, warnings] of cases) {
    it(`LINT-8: ${what}`, () => assert.deepEqual(lintWhen(when).toSorted(), warnings.toSorted()));
  }

  it("LINT-8: not of a rule that is off", () => {
    const [rule] = rules([{ name: "off", when: { all_of: [] }, then: HOLD }]);
    assert.deepEqual(lint([{ ...(rule as Rule), enabled: false }]), []);
  });
});

describe("LINT-2: Warnings: a rule that can never match", () => {
  for (const [what, when] of CAN_NEVER_MATCH) {
    it(`${what}: a warning`, () => assert.deepEqual(lintWhen(when), ["never rules.0.when"]));
  }
  for (const [what, when] of CAN_MATCH) {
    it(`${what}: no warning`, () => assert.deepEqual(lintWhen(when), []));
  }

  it("names the fields, and nothing that was submitted", () => {
    const [warning] = lintPolicy(
      {
        default_provider: null,
        rules: rules([
          { name: "n", when: { country_in: ["NG"], all_of: [{ country_in: ["KE"] }] }, then: HOLD },
        ]),
      },
      PROVIDERS,
    );
    assert.equal(warning?.message, "The rule can never match: nothing satisfies its conditions on country");
  });

  it("says nothing of conditions too large to expand", () => {
    const pair = (i: number): Conditions => ({
      any_of: [{ velocity_count_1h_gt: i }, { hour_utc_gte: i }],
    });
    const many = Array.from({ length: 20 }, (_, i) => pair(i));
    const impossible: Conditions = { any_of: [{ country_in: [] }] };
    assert.deepEqual(lintWhen({ all_of: [...many, impossible] }), []);
    assert.deepEqual(lintWhen({ all_of: [impossible, ...many.slice(0, 5)] }), ["never rules.0.when"]);
  });
});

describe("LINT-6: Warnings: an amount condition with no currency condition", () => {
  const cases: readonly [what: string, when: Conditions, warned: boolean][] = [
    ["alone", { amount_gte: 5000 }, true],
    ["beside a currency", { amount_gte: 5000, ...USD }, false],
    ["beside a currency that is ruled out", { amount_gte: 5000, currency_not_in: ["JPY"] }, false],
    [
      "beside one that is ruled out of what is listed",
      { amount_lt: 5, currency_in: ["USD", "JPY"], currency_not_in: ["JPY"] },
      false,
    ],
    ["under a currency outside", { ...USD, any_of: [{ amount_gte: 5000 }, { amount_lt: 10 }] }, false],
    ["in one branch of two", { any_of: [{ amount_gte: 5000, ...USD }, { amount_gte: 600_000 }] }, true],
    [
      "each branch in its own currency",
      {
        any_of: [
          { amount_gte: 5000, ...USD },
          { amount_gte: 600_000, currency_in: ["NGN"] },
        ],
      },
      false,
    ],
    ["negated, alone", { none_of: [{ amount_gte: 5000 }] }, true],
    ["negated together with its currency", { none_of: [{ amount_gte: 5000, ...USD }] }, false],
    [
      "negated together with its currency, inside all_of",
      { none_of: [{ amount_gte: 5000, all_of: [USD] }] },
      false,
    ],
    [
      "beside a negated _not_in, which is a currency",
      { amount_gte: 5, none_of: [{ currency_not_in: ["USD"] }] },
      false,
    ],
    [
      "negated together with currencies in branches",
      { none_of: [{ amount_gte: 5000, any_of: [USD, { currency_in: ["EUR"] }] }] },
      false,
    ],
    [
      "negated together with a negated currency",
      { none_of: [{ amount_gte: 5000, none_of: [{ currency_in: ["JPY"] }] }] },
      false,
    ],
    [
      "negated beside branches of which one has no currency",
      { none_of: [{ amount_gte: 5000, any_of: [USD, { country_in: ["US"] }] }] },
      true,
    ],
    ["a bound that any amount meets", { amount_gte: 1 }, true],
    ["an amount per hour is another field", { velocity_amount_1h_gte: 5000 }, false],
  ];
  for (const [what, when, warned] of cases) {
    it(`${what}: ${warned ? "a warning" : "no warning"}`, () =>
      assert.deepEqual(lintWhen(when), warned ? ["amount rules.0.when"] : []));
  }
});

const always: readonly [what: string, when: Conditions][] = [
  ["no condition", {}],
  ["bounds that every amount meets", { amount_gte: 1, currency_not_in: [] }],
  ["two halves of the day", { any_of: [{ hour_utc_lt: 12 }, { hour_utc_gte: 12 }] }],
  ["present or absent", { any_of: [{ risk_score_gte: 0 }, { none_of: [{ risk_score_gte: 0 }] }] }],
  ["every mode", { mode_in: ["test", "live"] }],
  ["some provider", { offered_provider_in: PROVIDERS }],
  ["none of what never is", { none_of: [{ country_in: [] }, { hour_utc_gt: 23 }] }],
  ["every bucket", { sample_bps_lt: 10_000 }],
  [
    "with an attempt or without",
    { any_of: [{ previous_outcome_not_in: [] }, { has_previous_attempt_is: false }] },
  ],
];
const notAlways: readonly [what: string, when: Conditions][] = [
  ["an optional field's whole range", { risk_score_gte: 0 }],
  ["every value of an optional enum", { customer_type_in: ["new", "returning", "guest"] }],
  ["all but one bucket", { sample_bps_lt: 9999 }],
  ["an empty _not_in of an optional field", { card_network_not_in: [] }],
];

describe("LINT-3: Warnings: a rule shadowed by an earlier unconditional block", () => {
  const after = (when: Conditions): RuleSpec[] => [
    { name: "wall", when, then: BLOCK },
    { name: "behind", then: HOLD },
  ];
  for (const [what, when] of always) {
    it(`${what}: a warning`, () => assert.ok(lintRules(after(when)).includes("shadowed rules.1")));
  }
  for (const [what, when] of notAlways) {
    it(`${what}: no warning`, () => assert.deepEqual(lintRules(after(when)), []));
  }

  it("counts the order of evaluation, not the order written", () => {
    assert.deepEqual(
      lintRules([
        { name: "behind", then: HOLD, priority: 5 },
        { name: "wall", then: BLOCK, priority: 4 },
        { name: "before", then: HOLD, priority: 3 },
        { name: "also behind", then: HOLD, priority: 4 },
      ]),
      ["shadowed rules.0", "shadowed rules.3"],
    );
  });

  it("leaves disabled rules out, on both sides", () => {
    assert.deepEqual(
      lintRules([
        { name: "no wall", then: BLOCK, enabled: false },
        { name: "a", then: HOLD },
        { name: "wall", then: BLOCK },
        { name: "off", then: HOLD, enabled: false },
      ]),
      [],
    );
  });

  it("knows that nothing else comes in between: a hold shadows no rule", () => {
    assert.deepEqual(
      lintRules([
        { name: "a", then: HOLD },
        { name: "b", then: BLOCK },
      ]),
      [],
    );
  });
});

describe("Warnings: of the policy as a whole", () => {
  it("LINT-1: no rules and no default_provider", () => {
    assert.deepEqual(lintRules([]), ["empty rules"]);
    assert.deepEqual(lintRules([], "provider_1"), []);
    assert.deepEqual(lintRules([{ name: "a", then: HOLD }]), []);
  });

  it("LINT-4: duplicate rule names, each after the first", () => {
    const named = (name: string, enabled = true): RuleSpec => ({ name, then: HOLD, enabled });
    assert.deepEqual(lintRules([named("a"), named("b"), named("a"), named("a", false), named("A")]), [
      "name rules.2.name",
      "name rules.3.name",
    ]);
  });

  const exclude = (...providers: string[]): RuleAction => ({ type: "exclude_provider", providers });
  const restrict = (...providers: string[]): RuleAction => ({ type: "restrict_providers", providers });
  const cases: readonly [what: string, specs: [RuleAction, Conditions?, boolean?][], expected: string[]][] = [
    ["one rule excludes all", [[exclude(...PROVIDERS)]], [EXCLUDED, DEFAULT]],
    [
      "exclusions add up across rules",
      [[exclude("provider_1", "provider_2")], [exclude("provider_3", "provider_4")], [exclude("provider_5")]],
      [EXCLUDED, DEFAULT],
    ],
    [
      "restrictions intersect to nobody",
      [[restrict("provider_1")], [restrict("provider_2")]],
      [EXCLUDED, DEFAULT],
    ],
    [
      "a restriction and an exclusion of what it leaves",
      [[restrict("provider_1")], [exclude("provider_1")]],
      [EXCLUDED, DEFAULT],
    ],
    ["all but one", [[exclude(...PROVIDERS.slice(1))]], []],
    ["the default alone", [[exclude("provider_1")]], [DEFAULT]],
    ["a restriction to others than the default", [[restrict("provider_2", "provider_3")]], [DEFAULT]],
    ["under a condition", [[exclude(...PROVIDERS), { country_in: ["NG"] }]], []],
    [
      "under a condition that always holds",
      [[exclude(...PROVIDERS), { hour_utc_gte: 0 }]],
      [EXCLUDED, DEFAULT],
    ],
    ["by a disabled rule", [[exclude(...PROVIDERS), {}, false]], []],
    ["by a rule that never matches", [[exclude(...PROVIDERS), { country_in: [] }]], [NEVER]],
  ];
  for (const [what, specs, expected] of cases) {
    it(`LINT-5: every provider, and default_provider, excluded unconditionally: ${what}`, () => {
      const list = specs.map(([then, when = {}, enabled = true], i): RuleSpec => ({
        name: `rule ${i}`,
        then,
        when,
        enabled,
      }));
      assert.deepEqual(
        lintRules(list, "provider_1").map((line) => line.split(" ", 1)[0]),
        expected,
      );
    });
  }
});
