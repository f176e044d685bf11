import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPricingBodyParser } from "../../../../src/features/pricing/wire/pricing-schema.js";

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const parse = createPricingBodyParser(["provider_1", "provider_2"]);
const RULE = {
  provider: "provider_1",
  payment_method: "card",
  currency: "USD",
  percentage_bps: 290,
  fixed_minor: 30,
};
const body = (changes: object = {}): string =>
  JSON.stringify({
    merchant_id: "shop",
    contract_name: "2026",
    effective_from: "2026-01-01T00:00:00Z",
    rules: [RULE],
    ...changes,
  });
const withRules = (...rules: object[]): string =>
  body({ rules: rules.map((rule) => ({ ...RULE, ...rule })) });
const issuesOf = (text: string): string[] => {
  const parsed = parse(text, NOW_MS);
  return parsed.ok ? [] : parsed.issues.map(({ code, path }) => `${code} ${path}`);
};
const warningsOf = (text: string): string[] => {
  const parsed = parse(text, NOW_MS);
  assert.ok(parsed.ok);
  return parsed.value.warnings.map(({ path, severity }) => `${severity} ${path}`);
};

describe("PRICE-2, PRICE-3: POST /v1/pricing/rules refuses", () => {
  const table: [name: string, text: string, issues: string[]][] = [
    ["no JSON", "{", ["invalid_json "]],
    [
      "missing fields",
      "{}",
      ["merchant_id", "contract_name", "effective_from", "rules"].map((path) => `invalid_type ${path}`),
    ],
    ["unknown fields", body({ note: 1 }), ["unrecognized_keys note"]],
    ["unknown fields of a rule", withRules({ bps: 1 }), ["unrecognized_keys rules.0.bps"]],
    ["no rules", body({ rules: [] }), ["too_small rules"]],
    [
      "a provider that is not configured",
      withRules({ provider: "x" }),
      ["invalid_enum_value rules.0.provider"],
    ],
    [
      "a method that is none",
      withRules({ payment_method: "x" }),
      ["invalid_enum_value rules.0.payment_method"],
    ],
    ["a network that is none", withRules({ card_network: "x" }), ["invalid_enum_value rules.0.card_network"]],
    ["a currency that is none", withRules({ currency: "XXY" }), ["invalid_string rules.0.currency"]],
    ["a country that is none", withRules({ country: "us" }), ["invalid_string rules.0.country"]],
    ["a decimal amount", withRules({ fixed_minor: 0.5 }), ["invalid_type rules.0.fixed_minor"]],
    ["a negative amount", withRules({ min_fee_minor: -1 }), ["too_small rules.0.min_fee_minor"]],
    ["over the whole amount", withRules({ percentage_bps: 10_000.01 }), ["too_big rules.0.percentage_bps"]],
    ["a third decimal", withRules({ percentage_bps: 2.905 }), ["custom rules.0.percentage_bps"]],
    [
      "a third decimal in a tier",
      withRules({ tiers: [{ amount_gte: 5, percentage_bps: 0.001, fixed_minor: 0 }] }),
      ["custom rules.0.tiers.0.percentage_bps"],
    ],
    [
      "a minimum over the maximum",
      withRules({ min_fee_minor: 2, max_fee_minor: 1 }),
      ["custom rules.0.max_fee_minor"],
    ],
    [
      "two tiers from one amount",
      withRules({
        tiers: [
          { amount_gte: 5, percentage_bps: 1, fixed_minor: 0 },
          { amount_gte: 5, percentage_bps: 2, fixed_minor: 0 },
        ],
      }),
      ["custom rules.0.tiers.1.amount_gte"],
    ],
    [
      "two prices for one segment",
      withRules({}, { country: "US" }, { percentage_bps: 1 }, { country: "US", fixed_minor: 1 }),
      ["custom rules.2", "custom rules.3"],
    ],
    [
      "a date that is none",
      body({ effective_from: "2026-02-31T00:00:00Z" }),
      ["invalid_string effective_from"],
    ],
    ["an end before its beginning", body({ effective_to: "2026-01-01T00:00:00Z" }), ["custom effective_to"]],
    ["5001 rules", body({ rules: Array.from({ length: 5001 }, () => RULE) }), ["too_big rules"]],
  ];
  for (const [name, text, issues] of table) {
    it(name, () => assert.deepEqual(issuesOf(text), issues));
  }

  it("ERR-13: reports all of it at once, including the rules beyond a schema", () => {
    const rules = [
      { ...RULE, percentage_bps: 0.001 },
      { ...RULE, provider: "x", percentage_bps: 0.001 },
      { ...RULE, min_fee_minor: 5, max_fee_minor: 4 },
      null,
    ];
    const effective_to = "2025-01-01T00:00:00Z";
    assert.deepEqual(issuesOf(body({ contract_name: "", effective_to, rules })), [
      "too_small contract_name",
      "custom effective_to",
      "invalid_enum_value rules.1.provider",
      "invalid_type rules.3",
      "custom rules.0.percentage_bps",
      "custom rules.2.max_fee_minor",
      "custom rules.2",
    ]);
    assert.deepEqual(issuesOf("null"), ["invalid_type "]);
    assert.deepEqual(issuesOf(body({ effective_from: "today", effective_to, rules: 1 })), [
      "invalid_string effective_from",
      "invalid_type rules",
    ]);
    assert.equal(issuesOf(body({ rules: Array.from({ length: 30 }, () => rules[1]) })).length, 20);
    assert.deepEqual(issuesOf(`[${"[".repeat(40)}${"]".repeat(40)}]`), ["custom "]);
    assert.deepEqual(issuesOf(body({ rules: [RULE] }).replace("{", '{"replace":true,"replace":true,')), [
      "custom replace",
    ]);
  });

  it("names the rule that a rule contradicts, and never a submitted value", () => {
    const parsed = parse(withRules({}, { percentage_bps: 1 }), NOW_MS);
    assert.ok(!parsed.ok);
    assert.equal(parsed.issues[0]?.message, "Contradicts rules.0: the same segment, another price");
  });
});

describe("PRICE-5: POST /v1/pricing/rules warns of", () => {
  const network = { card_network: "visa" };
  const country = { country: "US" };
  const table: [name: string, text: string, warnings: string[]][] = [
    ["nothing", withRules({}, network), []],
    ["a rule given twice", withRules({}, {}), ["warning rules.1"]],
    ["a network's and a country's rule that overlap", withRules(country, network), ["warning rules.1"]],
    [
      "…but not where a rule for both settles it",
      withRules(country, network, { ...network, ...country }),
      [],
    ],
    ["…nor of another currency", withRules(country, { ...network, currency: "EUR" }), []],
    ["an end in the past", body({ effective_to: "2026-11-20T12:00:00Z" }), ["warning effective_to"]],
    [
      "a tier that leaves the rule's own price nothing",
      withRules({ tiers: [{ amount_gte: 1, percentage_bps: 1, fixed_minor: 0 }] }),
      ["warning rules.0.tiers.0.amount_gte"],
    ],
    [
      "…but not of one that leaves it the smallest amount",
      withRules({ tiers: [{ amount_gte: 2, percentage_bps: 1, fixed_minor: 0 }] }),
      [],
    ],
  ];
  for (const [name, text, warnings] of table) {
    it(name, () => assert.deepEqual(warningsOf(text), warnings));
  }

  it("a repeated rule is stored once", () => {
    const parsed = parse(withRules({}, { tiers: [] }, { country: "US" }), NOW_MS);
    assert.ok(parsed.ok);
    assert.equal(parsed.value.rules.length, 2);
  });
});
