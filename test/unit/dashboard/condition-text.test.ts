import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DecisionDetail } from "../../../src/client/wire-reads.js";
import { failedConditionText } from "../../../src/dashboard/explain/condition-text.js";

function decisionIn(currency: string, amount: number): DecisionDetail {
  return {
    mode: "test",
    transaction: { amount, currency, country: "US", payment_method: "bank_transfer" },
    risk: { score: 35, band: "low" },
    provider_evaluations: [{ provider: "provider_1" }, { provider: "provider_2" }],
  } as DecisionDetail;
}
const DOLLARS = decisionIn("USD", 129_900);
/** Intl puts a space that does not break between a currency and its amount. */
const textOf = (key: string, value: unknown, decision = DOLLARS): string =>
  failedConditionText(key, value, decision).replaceAll("\u{a0}", " ");

describe("issue: the condition that stopped a rule, in words", () => {
  for (const [key, value, expected] of [
    ["amount_gte", 500_000, "Needs amount at least USD 5,000.00; it was USD 1,299.00."],
    ["country_in", ["NG", "KE"], "Needs country NG or KE; it was US."],
    ["country_not_in", ["US"], "Needs country other than US; it was US."],
    ["payment_method_in", ["card"], "Needs payment method card; it was Bank transfer."],
    ["computed_risk_score_gt", 85, "Needs computed risk score more than 85; it was 35."],
    ["offered_provider_count_lt", 2, "Needs offered provider count less than 2; it was 2."],
    ["customer_type_in", ["guest"], "Needs customer type guest; it was not, or was not sent."],
    ["ip_country_match_is", true, "Needs IP country match: true; it was not, or was not sent."],
    ["any_of", [{}], "None of its alternatives holds."],
    ["none_of", [{}], "Something it rules out holds."],
    [
      "provider_health_state_in",
      { provider: "provider_1", states: ["critical", "unavailable"] },
      "Needs provider_1 to be critical or unavailable; it was not.",
    ],
    ["amount_lte", undefined, "Needs amount at most as the rule says; it was USD 1,299.00."],
  ] as const) {
    it(`${key}: ${expected}`, () => assert.equal(textOf(key, value), expected));
  }

  it("amounts have their currency's own decimals: JPY 0, KWD 3", () => {
    assert.equal(
      textOf("amount_gte", 5000, decisionIn("JPY", 1200)),
      "Needs amount at least JPY 5,000; it was JPY 1,200.",
    );
    assert.equal(
      textOf("amount_gte", 5000, decisionIn("KWD", 1200)),
      "Needs amount at least KWD 5.000; it was KWD 1.200.",
    );
  });
});
