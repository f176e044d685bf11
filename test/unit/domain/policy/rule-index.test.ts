import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileKeys } from "../../../../src/domain/policy/compile-conditions.js";
import type { PolicyFacts } from "../../../../src/domain/policy/policy-facts.js";
import type { Conditions } from "../../../../src/domain/policy/policy.js";
import { createRuleIndex } from "../../../../src/domain/policy/rule-index.js";
import { facts } from "./facts.js";

const indexOf = (whens: readonly Conditions[]): ((given?: Partial<PolicyFacts>) => number[]) => {
  const index = createRuleIndex(whens.map((when) => compileKeys(when, "rule_1")));
  return (given = {}) => {
    const count = index.match(facts(given));
    return Array.from(index.matching.subarray(0, count));
  };
};
const positionsOf = (held: readonly boolean[]): number[] =>
  held.flatMap((holds, position) => (holds ? [position] : []));

describe("many rules about a number", () => {
  const bounds = [10, 20, 30];
  const operators = {
    gte: (value: number, bound: number) => value >= bound,
    gt: (value: number, bound: number) => value > bound,
    lte: (value: number, bound: number) => value <= bound,
    lt: (value: number, bound: number) => value < bound,
  };
  const asked = Object.entries(operators).flatMap(([operator, compare]) =>
    bounds.map((bound) => ({ operator, bound, compare })),
  );

  it("match below, on, between and above their bounds", () => {
    const matching = indexOf(asked.map(({ operator, bound }) => ({ [`risk_score_${operator}`]: bound })));
    for (const value of [9, 10, 11, 19, 20, 20.5, 29, 30, 31]) {
      const expected = positionsOf(asked.map(({ bound, compare }) => compare(value, bound)));
      assert.deepEqual(matching({ riskScore: value }), expected, String(value));
    }
  });

  it("match none where it is absent", () => {
    const matching = indexOf(asked.map(({ operator, bound }) => ({ [`risk_score_${operator}`]: bound })));
    assert.deepEqual(matching({ riskScore: undefined }), []);
  });

  it("match within ranges, and in an empty one nothing", () => {
    const matching = indexOf([
      { amount_gte: 10, amount_lt: 20 },
      { amount_gt: 10, amount_lte: 20 },
      { amount_gte: 20, amount_lte: 20 },
      { amount_gt: 20, amount_lt: 20 },
      { amount_gte: 30, amount_lte: 10 },
      { amount_lt: 10 },
      {},
    ]);
    for (const [amount, expected] of [
      [9, [5, 6]],
      [10, [0, 6]],
      [15, [0, 1, 6]],
      [20, [1, 2, 6]],
      [21, [6]],
      [30, [6]],
    ] as const) {
      assert.deepEqual(matching({ amount }), expected, String(amount));
    }
  });

  it("distinguish neighbouring amounts up to 2^53 − 1", () => {
    const most = Number.MAX_SAFE_INTEGER;
    const matching = indexOf([0, 1, 2, 3, 4, 5].map((less) => ({ amount_gte: most - less })));
    for (const less of [0, 1, 2, 3, 4, 5, 6]) {
      assert.deepEqual(
        matching({ amount: most - less }),
        [0, 1, 2, 3, 4, 5].filter((bound) => less <= bound),
      );
    }
  });
});

describe("many rules about a listed field", () => {
  const matching = indexOf([
    { card_network_in: ["visa"] },
    { card_network_in: ["visa", "mastercard"] },
    { card_network_not_in: ["visa"] },
    { card_network_not_in: ["visa", "mastercard"] },
    { card_network_in: ["visa", "mastercard"], card_network_not_in: ["visa"] },
    { card_network_not_in: ["visa"], card_network_in: ["visa"] },
    { card_network_in: [] },
    { card_network_not_in: [] },
    {},
  ]);
  for (const [cardNetwork, expected] of [
    ["visa", [0, 1, 7, 8]],
    ["mastercard", [1, 2, 4, 7, 8]],
    ["amex", [2, 3, 7, 8]],
    // COND-3: without a card network, every condition on it is false.
    [undefined, [8]],
  ] as const) {
    it(`match for ${cardNetwork ?? "none"}`, () => {
      assert.deepEqual(matching({ cardNetwork }), expected);
    });
  }
});

it("many rules that list very many values match as well", () => {
  const codes = (rule: number) => Array.from({ length: 1000 }, (_, code) => `code_${rule}_${code}`);
  const matching = indexOf([
    ...[0, 1, 2, 3, 4, 5].map((rule) => ({ previous_reason_code_in: [...codes(rule), "any"] })),
    { previous_reason_code_not_in: codes(3) },
  ]);
  assert.deepEqual(matching({ previousReasonCode: "code_3_999" }), [3]);
  assert.deepEqual(matching({ previousReasonCode: "any" }), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(matching({ previousReasonCode: "other" }), [6]);
  assert.deepEqual(matching(), []);
});

describe("many rules about a flag", () => {
  const matching = indexOf(
    [true, false, true, false, true, false].map((ip_country_match_is) => ({ ip_country_match_is })),
  );
  for (const [ipCountryMatch, expected] of [
    [true, [0, 2, 4]],
    [false, [1, 3, 5]],
    [undefined, []],
  ] as const) {
    it(`match for ${String(ipCountryMatch)}`, () => {
      assert.deepEqual(matching({ ipCountryMatch }), expected);
    });
  }
});

describe("any number of rules", () => {
  for (const count of [0, 1, 5, 6, 31, 32, 33, 63, 64, 65, 96, 97, 100]) {
    it(`${count} match in their order, all or one`, () => {
      const all = Array.from({ length: count }, (_, position) => position);
      assert.deepEqual(indexOf(all.map(() => ({})))(), all);
      const one = indexOf(all.map((position) => ({ amount_gte: position, amount_lte: position })));
      for (const position of all) assert.deepEqual(one({ amount: position }), [position]);
      assert.deepEqual(one({ amount: count }), []);
    });
  }

  it("match only where conditions of any other form hold too", () => {
    const matching = indexOf([
      { currency_in: ["USD"], offered_provider_in: ["provider_1"] },
      { currency_in: ["USD"], offered_provider_in: ["provider_9"] },
      { currency_in: ["USD"], any_of: [{ country_in: ["DE"] }, { country_in: ["US"] }] },
      { currency_in: ["USD"], none_of: [{ country_in: ["US"] }] },
      { currency_in: ["EUR"], offered_provider_in: ["provider_1"] },
      { currency_in: ["USD"], country_in: ["US"] },
      { currency_in: ["USD"], country_in: ["DE"] },
    ]);
    assert.deepEqual(matching(), [0, 2, 5]);
  });
});

describe("a field is looked up where that pays", () => {
  /** The memory for look-ups of fields. It is 0 if every rule's conditions are tested one by one. */
  const lookUpBytes = (whens: readonly Conditions[]): number => {
    const bytesOf = (conditions: readonly Conditions[]): number =>
      createRuleIndex(conditions.map((when) => compileKeys(when, "rule_1"))).bytes;
    return bytesOf(whens) - bytesOf(whens.map(() => ({})));
  };
  const codes = (count: number): string[] => Array.from({ length: count }, (_, code) => `code_${code}`);
  const listing = (...counts: number[]): Conditions[] =>
    counts.map((count) => ({ previous_reason_code_in: codes(count) }));

  for (const [name, whens, isLookedUp] of [
    ["five rules ask about it", listing(1, 1, 1, 1, 1), false],
    ["six rules ask about it", listing(1, 1, 1, 1, 1, 1), true],
    [
      "five rules ask twice about it",
      Array.from({ length: 5 }, () => ({ amount_gte: 1, amount_lt: 9 })),
      false,
    ],
    ["six rules list 4096 values", listing(4091, 1, 1, 1, 1, 1), true],
    ["six rules list 4097 values", listing(4092, 1, 1, 1, 1, 1), false],
  ] as const) {
    it(`${name}: ${isLookedUp ? "yes" : "no"}`, () => assert.equal(lookUpBytes(whens) > 0, isLookedUp));
  }
});
