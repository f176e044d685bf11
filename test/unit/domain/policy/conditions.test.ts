import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CONDITION_KEYS, compileConditions } from "../../../../src/domain/policy/compile-conditions.js";
import type { PolicyFacts } from "../../../../src/domain/policy/policy-facts.js";
import type { Conditions } from "../../../../src/domain/policy/policy.js";
import { facts, states } from "./facts.js";

const holds = (when: Conditions, given: Partial<PolicyFacts> = {}) =>
  compileConditions(when, "rule_1")(facts(given));

const NUMERIC: Record<string, keyof PolicyFacts> = {
  amount: "amount",
  risk_score: "riskScore",
  velocity_count_10m: "velocityCount10m",
  velocity_count_1h: "velocityCount1h",
  velocity_amount_1h: "velocityAmount1h",
  previous_success_count: "previousSuccessCount",
  previous_decline_count: "previousDeclineCount",
  order_age_seconds: "orderAgeSeconds",
  merchant_supplied_risk_score: "merchantSuppliedRiskScore",
  computed_risk_score: "computedRiskScore",
};
const ALWAYS_PRESENT_NUMBERS = new Set(["amount", "computed_risk_score"]);

describe("numeric conditions", () => {
  const expected = {
    gte: [false, true, true],
    gt: [false, false, true],
    lte: [true, true, false],
    lt: [true, false, false],
  };
  for (const [field, fact] of Object.entries(NUMERIC)) {
    for (const [operator, [below, at, above]] of Object.entries(expected)) {
      const key = `${field}_${operator}`;
      it(`COND-3, COND-5: ${key}: below, at and above the bound, and absent`, () => {
        assert.equal(holds({ [key]: 40 }, { [fact]: 39 }), below);
        assert.equal(holds({ [key]: 40 }, { [fact]: 40 }), at);
        assert.equal(holds({ [key]: 40 }, { [fact]: 41 }), above);
        if (!ALWAYS_PRESENT_NUMBERS.has(field)) {
          assert.equal(holds({ [key]: 0 }, { [fact]: undefined }), false);
        }
      });
    }
  }

  it("counts a present 0 as present", () => {
    assert.equal(holds({ previous_success_count_lte: 0 }, { previousSuccessCount: 0 }), true);
  });

  it("compares amounts up to 2^53 − 1 exactly", () => {
    const amount = Number.MAX_SAFE_INTEGER;
    assert.equal(holds({ amount_gte: amount }, { amount }), true);
    assert.equal(holds({ amount_gte: amount }, { amount: amount - 1 }), false);
  });

  it("COND-12: offered_provider_count counts the offer", () => {
    assert.equal(holds({ offered_provider_count_gte: 2 }), true);
    assert.equal(holds({ offered_provider_count_gt: 2 }), false);
    assert.equal(holds({ offered_provider_count_lt: 3, offered_provider_count_lte: 2 }), true);
  });

  it("COND-15: hour_utc runs from 0 to 23 and turns at the full hour", () => {
    const hour = (h: number, minute: number, wanted: number) =>
      holds(
        { hour_utc_gte: wanted, hour_utc_lte: wanted },
        { nowMs: Date.UTC(2026, 10, 20, h, minute, 59, 999) },
      );
    assert.equal(hour(0, 0, 0), true);
    assert.equal(hour(12, 59, 12), true);
    assert.equal(hour(23, 59, 23), true);
    assert.equal(holds({ hour_utc_lt: 1 }, { nowMs: Date.UTC(2026, 10, 21) }), true);
  });

  it("COND-15: weekday_utc is 1 on Monday and 7 on Sunday", () => {
    const weekdays = [16, 17, 18, 19, 20, 21, 22].map((day) =>
      [1, 2, 3, 4, 5, 6, 7].find((weekday) =>
        holds(
          { weekday_utc_gte: weekday, weekday_utc_lte: weekday },
          { nowMs: Date.UTC(2026, 10, day, 23, 59) },
        ),
      ),
    );
    assert.deepEqual(weekdays, [1, 2, 3, 4, 5, 6, 7]);
  });
});

/** field → [fact, value given, two other values]. */
const LISTED: Record<string, [keyof PolicyFacts, string, string, string]> = {
  currency: ["currency", "EUR", "USD", "NGN"],
  country: ["country", "DE", "US", "NG"],
  payment_method: ["paymentMethod", "wallet", "card", "bank_transfer"],
  card_network: ["cardNetwork", "visa", "amex", "other"],
  transaction_type: ["transactionType", "sale", "authorization", "capture"],
  customer_type: ["customerType", "guest", "new", "returning"],
  risk_level: ["riskLevel", "medium", "low", "high"],
  device_risk_band: ["deviceRiskBand", "medium", "low", "high"],
  risk_band: ["riskBand", "high", "low", "extreme"],
  previous_provider: ["previousProvider", "provider_2", "provider_1", "provider_3"],
  previous_outcome: ["previousOutcome", "timeout", "declined", "error"],
  previous_reason_code: ["previousReasonCode", "05", "51", "do_not_honor"],
  mode: ["mode", "test", "live", "Test"],
  decision_mode: ["decisionMode", "shadow", "enforce", "Shadow"],
};
const MAY_BE_ABSENT = [
  "card_network",
  "customer_type",
  "risk_level",
  "device_risk_band",
  "previous_provider",
  "previous_outcome",
  "previous_reason_code",
];

describe("enum and string conditions", () => {
  for (const [field, [fact, given, other, third]] of Object.entries(LISTED)) {
    it(`COND-6: ${field}_in and ${field}_not_in, with lists of none, one, two and three`, () => {
      const cases: [string[], boolean][] = [
        [[], false],
        [[given], true],
        [[other], false],
        [[other, given], true],
        [[given, other], true],
        [[other, third], false],
        [[other, third, given], true],
      ];
      for (const [listed, expected] of cases) {
        assert.equal(holds({ [`${field}_in`]: listed }, { [fact]: given }), expected, `in ${listed.join()}`);
        assert.equal(
          holds({ [`${field}_not_in`]: listed }, { [fact]: given }),
          !expected,
          `not_in ${listed.join()}`,
        );
      }
    });
  }

  for (const field of MAY_BE_ABSENT) {
    const [fact, , other, third] = LISTED[field] as [keyof PolicyFacts, string, string, string];
    it(`COND-3: ${field}: absent makes both _in and _not_in false, for any list`, () => {
      for (const listed of [[], [other], [other, third], [other, third, "x"]]) {
        assert.equal(holds({ [`${field}_in`]: listed }, { [fact]: undefined }), false);
        assert.equal(holds({ [`${field}_not_in`]: listed }, { [fact]: undefined }), false);
      }
    });
  }

  it("COND-12: offered_provider_in holds when any offered one is listed, _not_in when none is", () => {
    const offeredProviders = ["provider_1", "provider_2"];
    for (const [listed, any] of [
      [["provider_2", "provider_5"], true],
      [["provider_3"], false],
      [[], false],
    ] as const) {
      assert.equal(holds({ offered_provider_in: [...listed] }, { offeredProviders }), any);
      assert.equal(holds({ offered_provider_not_in: [...listed] }, { offeredProviders }), !any);
    }
  });
});

describe("boolean, health and rollout conditions", () => {
  it("COND-7: ip_country_match_is compares a given flag and never holds for an absent one", () => {
    for (const wanted of [true, false]) {
      assert.equal(holds({ ip_country_match_is: wanted }, { ipCountryMatch: true }), wanted);
      assert.equal(holds({ ip_country_match_is: wanted }, { ipCountryMatch: false }), !wanted);
      assert.equal(holds({ ip_country_match_is: wanted }), false);
    }
  });

  it("COND-7, COND-11: has_previous_attempt_is is always known", () => {
    assert.equal(holds({ has_previous_attempt_is: false }), true);
    assert.equal(holds({ has_previous_attempt_is: true }), false);
    assert.equal(holds({ has_previous_attempt_is: true }, { hasPreviousAttempt: true }), true);
  });

  it("COND-16: order_id_prefix holds if the order id begins with any of its prefixes, letter by letter", () => {
    for (const [prefixes, expected] of [
      [["sub_"], true],
      [["inv_", "sub_2026"], true],
      [["sub_2026_1"], true],
      [["sub_2026_11"], false],
      [["SUB_"], false],
      [["ub_"], false],
      [["inv_"], false],
      [[], false],
    ] as const) {
      assert.equal(
        holds({ order_id_prefix: [...prefixes] }, { orderId: "sub_2026_1" }),
        expected,
        prefixes.join(),
      );
    }
  });

  it("COND-13: provider_health_state_in asks about the request's own method and currency, offered or not", () => {
    const asked: string[] = [];
    const when: Conditions = {
      provider_health_state_in: { provider: "provider_5", states: ["degraded", "critical"] },
    };
    const health: PolicyFacts["health"] = {
      find(...segment) {
        asked.push(segment.join(":"));
        return { state: "critical" };
      },
    };
    assert.equal(holds(when, { health, paymentMethod: "wallet", currency: "KES" }), true);
    assert.deepEqual(asked, ["provider_5:wallet:KES"]);
    assert.equal(holds(when, { health: states({ provider_5: "watch" }) }), false);
    assert.equal(holds({ provider_health_state_in: { provider: "provider_1", states: [] } }), false);
  });

  it("COND-14: sample_bps_lt takes the buckets below it: rule_1 and order_1 fall into 2319", () => {
    assert.equal(holds({ sample_bps_lt: 2319 }), false);
    assert.equal(holds({ sample_bps_lt: 2320 }), true);
    assert.equal(holds({ sample_bps_lt: 0 }), false);
    assert.equal(holds({ sample_bps_lt: 10_000 }), true);
  });
});

describe("when", () => {
  const yes: Conditions = { amount_gte: 1 };
  const no: Conditions = { amount_gte: 10_001 };
  const absent: Conditions = { customer_type_in: ["guest"] };

  it("COND-1: {} always matches", () => assert.equal(holds({}), true));

  it("COND-1: every key must hold, from one key to many", () => {
    const keys: Conditions[] = [yes, { currency_in: ["USD"] }, { country_in: ["US"] }, { mode_in: ["test"] }];
    for (let length = 1; length <= keys.length; length++) {
      const merged: Conditions = Object.assign({}, ...keys.slice(0, length));
      assert.equal(holds(merged), true);
      assert.equal(holds({ ...merged, risk_band_in: ["extreme"] }), false);
    }
  });

  for (const [name, when, expected] of [
    ["COND-2: any_of holds when one does", { any_of: [no, yes] }, true],
    ["any_of fails when none does", { any_of: [no, absent] }, false],
    ["an empty any_of has nothing that holds", { any_of: [] }, false],
    ["all_of holds when all do", { all_of: [yes, {}] }, true],
    ["COND-2: all_of fails when one does not", { all_of: [yes, no] }, false],
    ["an empty all_of holds", { all_of: [] }, true],
    ["none_of holds when none does", { none_of: [no] }, true],
    ["COND-2: none_of fails when one does", { none_of: [no, yes] }, false],
    ["an empty none_of holds", { none_of: [] }, true],
    ["none_of over an absent field holds: the condition is false", { none_of: [absent] }, true],
    [
      "none_of over _not_in of an absent field holds too",
      { none_of: [{ customer_type_not_in: ["guest"] }] },
      true,
    ],
    ["a list is one key among others", { any_of: [yes], ...no }, false],
    ["three levels nest", { any_of: [{ all_of: [yes, { none_of: [no] }] }] }, true],
    ["three levels nest, to false", { any_of: [{ all_of: [yes, { none_of: [yes] }] }] }, false],
  ] as [string, Conditions, boolean][]) {
    it(name, () => assert.equal(holds(when), expected));
  }

  it("samples inside a list by the same rule and order", () => {
    assert.equal(holds({ any_of: [{ sample_bps_lt: 2320 }] }), true);
    assert.equal(holds({ none_of: [{ sample_bps_lt: 2319 }] }), true);
  });

  it("refuses a key that is no condition", () => {
    assert.throws(() => compileConditions({ amount_between: 1 } as Conditions, "rule_1"), RangeError);
    assert.throws(() => compileConditions({ constructor: 1 } as unknown as Conditions, "rule_1"), RangeError);
  });

  it("COND-8, COND-9, COND-10, COND-11, COND-15, COND-16: knows every family of the contract's table: 13 numeric fields, 15 listed, 2 flags, a prefix, 5 of their own form", () => {
    assert.equal(CONDITION_KEYS.length, 13 * 4 + 15 * 2 + 2 + 1 + 5);
    assert.equal(new Set(CONDITION_KEYS).size, CONDITION_KEYS.length);
  });
});
