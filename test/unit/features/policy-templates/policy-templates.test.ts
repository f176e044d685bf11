import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { policyTemplates } from "../../../../src/features/policy-templates/service.js";
import { createPolicyValidator } from "../../../../src/features/policies/wire/policy-validator.js";
import type { RuleAction } from "../../../../src/domain/policy/policy.js";
import { RETRY_RULES_VERSION } from "../../../../src/domain/retries/retry-rules.js";
import {
  A,
  B,
  C,
  contractPrices,
  decideGiven,
  type Given,
  NOW_MS,
  said,
} from "../../domain/decision/situations.js";

const PROVIDERS = [A, B, C];
const TEMPLATES = policyTemplates(PROVIDERS);
const { validate } = createPolicyValidator({ providers: PROVIDERS, nextId: () => "0".repeat(26) });

const approvals = (a: number, b: number): Required<Given>["healths"] => ({
  [A]: { approval_rate: a, score: 95 },
  [B]: { approval_rate: b, score: 90 },
  [C]: { score: 55, approval_rate: a },
});
const declinedAt = (code: string): Required<Given>["request"] => ({
  previous_attempt: { provider: A, outcome: "declined", provider_reason_code: code },
});
const attempts = (count: number): Required<Given>["input"] => ({
  attempts: {
    timesMs: Array.from({ length: count }, () => NOW_MS - 3_600_000),
    rulesVersion: RETRY_RULES_VERSION,
    recoveries: [],
  },
});
const sold = (count: number): Given => ({ request: { risk_signals: { velocity_count_10m: count } } });
/** C is the cheapest, and its health score is 55. */
const PRICES = contractPrices({ [A]: 300, [B]: 200, [C]: 100 });

/** Two payments for each template: the instruction that its sentence promises. */
const MEETINGS: Readonly<Record<string, readonly [what: string, given: Given, instruction: string][]>> = {
  cheapest_healthy_route: [
    [
      "B is cheaper than A, and C is weak",
      { pricing: PRICES, healths: approvals(0.9, 0.895) },
      `route ${B}/${A}`,
    ],
    ["B approves too much less", { pricing: PRICES, healths: approvals(0.9, 0.8) }, `route ${A}/${B}`],
  ],
  first_provider_with_failover: [
    ["A is healthy, if not the best", { healths: { [C]: { score: 99 } } }, `route ${A}/${B}`],
    ["A is degraded", { healths: { [A]: { state: "degraded" }, [C]: { score: 99 } } }, `route ${B}/${C}`],
    [
      "A is unavailable",
      { healths: { [A]: { state: "unavailable" }, [C]: { score: 99 } } },
      `route ${B}/${C}`,
    ],
    [
      "A is degraded, and no other is offered",
      { healths: { [A]: { state: "degraded" } }, offered: [A] },
      `route ${A}/null`,
    ],
  ],
  hold_high_amounts: [
    ["5,000 USD", { transaction: { amount: 500_000 } }, `hold ${A}/${B}`],
    ["a cent less", { transaction: { amount: 499_999 } }, `route ${A}/${B}`],
  ],
  step_up_countries: [
    ["a listed country", { transaction: { country: "AQ" } }, `step_up ${A}/${B}`],
    ["another one", { transaction: { country: "US" } }, `route ${A}/${B}`],
  ],
  block_countries: [
    ["a listed country", { transaction: { country: "AQ" } }, "block"],
    ["another one", { transaction: { country: "US" } }, `route ${A}/${B}`],
  ],
  retry_within_scheme_rules: [
    [
      "a decline that may be tried again",
      { transaction: { card_network: "visa" }, request: declinedAt("51"), input: attempts(1) },
      `retry ${B}/${C}`,
    ],
    [
      "a stolen card",
      { transaction: { card_network: "visa" }, request: declinedAt("43"), input: attempts(1) },
      "block",
    ],
    [
      "a fourth attempt",
      { transaction: { card_network: "visa" }, request: declinedAt("51"), input: attempts(3) },
      "block",
    ],
  ],
  stop_card_testing: [
    ["the sixth attempt", sold(6), "block"],
    ["the third one", sold(3), `step_up ${A}/${B}`],
    ["the second one", sold(2), `route ${A}/${B}`],
  ],
  try_new_provider: [
    ["an order of the nine tenths", { request: { order_id: "order_1" } }, `route ${A}/${B}`],
    ["an order of the tenth", { request: { order_id: "order_6" } }, `route ${B}/${A}`],
  ],
  cost_limit: [
    ["A costs 3 %", { pricing: contractPrices({ [A]: 300, [B]: 400, [C]: 400 }) }, `route ${A}/null`],
    [
      "A costs 3.6 %, B 3.4 %",
      { pricing: contractPrices({ [A]: 360, [B]: 340, [C]: 400 }) },
      `route ${B}/null`,
    ],
    ["all cost more", { pricing: contractPrices({ [A]: 360, [B]: 370, [C]: 380 }) }, `route ${A}/null`],
  ],
};

describe("POL-26: policy templates", () => {
  it("each is a valid policy in normal form, without a warning", () => {
    for (const { template_id, default_provider, rules } of TEMPLATES) {
      const validated = validate({ default_provider, rules });
      assert.deepEqual(
        validated,
        { ok: true, policy: { default_provider, rules }, warnings: [] },
        template_id,
      );
    }
  });

  it("each has meetings here, and at least two", () => {
    assert.deepEqual(
      TEMPLATES.map(({ template_id }) => template_id),
      Object.keys(MEETINGS),
    );
    assert.ok(Object.values(MEETINGS).every((meetings) => meetings.length >= 2));
  });

  for (const { template_id, english, rules } of TEMPLATES) {
    for (const [what, given, instruction] of MEETINGS[template_id] ?? []) {
      it(`${english} ${what}: ${instruction}`, () => {
        const own = rules.map(({ when, then }) => ({ when, then: then as RuleAction }));
        assert.equal(said(decideGiven({ ...given, rules: own })), instruction);
      });
    }
  }
});

describe("POL-25: a template fits its deployment", () => {
  it("names the deployment's providers in its order, and is left out where there are too few", () => {
    const named = policyTemplates(["acme", "bank"]).find(
      ({ template_id }) => template_id === "try_new_provider",
    );
    assert.deepEqual(named?.rules[0]?.then, { type: "split_traffic", weights: { acme: 90, bank: 10 } });
    const alone = policyTemplates(["acme"]).map(({ template_id }) => template_id);
    assert.deepEqual(
      TEMPLATES.map(({ template_id }) => template_id).filter((id) => !alone.includes(id)),
      ["first_provider_with_failover", "try_new_provider"],
    );
  });

  it("each choice is a place in the rules, with a value", () => {
    for (const { template_id, rules, choices } of TEMPLATES) {
      assert.ok(choices.length > 0, template_id);
      for (const { path } of choices) {
        let value: unknown = { rules };
        for (const name of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[name];
        assert.notEqual(value, undefined, `${template_id} ${path}`);
      }
    }
  });
});
