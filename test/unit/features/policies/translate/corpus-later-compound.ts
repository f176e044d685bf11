import {
  type Sentence,
  block,
  exclude,
  hold,
  maxCost,
  minHealth,
  noRetry,
  optimize,
  prefer,
  restrict,
  retry,
  rule,
  rules,
  rulesAndDefault,
  stepUp,
  warned,
} from "./corpus-sentence.js";

/**
 * Compound sentences that were written after the grammar could read such sentences. They ran once, and the results were
 * recorded.
 */
export const LATER_COMPOUND: readonly Sentence[] = [
  rules(
    "Block payments over €2,000 from guests and step up payments over €500",
    [{ amount_gt: 200000, currency_in: ["EUR"], customer_type_in: ["guest"] }, block],
    [{ amount_gt: 50000, currency_in: ["EUR"] }, stepUp],
  ),
  rules(
    "Hold orders over $3,000 and block orders over $20,000",
    [{ amount_gt: 300000, currency_in: ["USD"] }, hold],
    [{ amount_gt: 2000000, currency_in: ["USD"] }, block],
  ),
  rules(
    "Reject high risk guests, and hold medium risk guests over £100",
    [{ risk_level_in: ["high"], customer_type_in: ["guest"] }, block],
    [
      { risk_level_in: ["medium"], customer_type_in: ["guest"], amount_gt: 10000, currency_in: ["GBP"] },
      hold,
    ],
  ),
  rules(
    "Prefer provider_2 for mastercard, but avoid provider_4 in Kenya",
    [{ card_network_in: ["mastercard"] }, prefer("provider_2")],
    [{ country_in: ["KE"] }, exclude("provider_4")],
  ),
  rules(
    "Route visa to provider_1 and amex to provider_5",
    [{ card_network_in: ["visa"] }, prefer("provider_1")],
    [{ card_network_in: ["amex"] }, prefer("provider_5")],
  ),
  rules(
    "Use provider_3 for GBP and provider_1 for EUR",
    [{ currency_in: ["GBP"] }, prefer("provider_3")],
    [{ currency_in: ["EUR"] }, prefer("provider_1")],
  ),
  rules(
    "Send mobile money to provider_4, and wallets to provider_2",
    [{ payment_method_in: ["mobile_money"] }, prefer("provider_4")],
    [{ payment_method_in: ["wallet"] }, prefer("provider_2")],
  ),
  rules(
    "Never retry on stolen_card, and retry timeouts on another provider",
    [{}, noRetry("stolen_card")],
    [{}, retry(false)],
  ),
  rules(
    "If the risk score is over 85, block the payment; otherwise step up when it is over 50",
    [{ risk_score_gt: 85 }, block],
    [{ risk_score_gt: 50, risk_score_lte: 85 }, stepUp],
  ),
  rules(
    "If the customer is new, require 3DS; otherwise prefer provider_1",
    [{ customer_type_in: ["new"] }, stepUp],
    [{ none_of: [{ customer_type_in: ["new"] }] }, prefer("provider_1")],
  ),
  rules(
    "If the amount exceeds $10,000, hold the payment for review; otherwise use provider_2",
    [{ amount_gt: 1000000, currency_in: ["USD"] }, hold],
    [{ none_of: [{ amount_gt: 1000000, currency_in: ["USD"] }] }, prefer("provider_2")],
  ),
  rules(
    "When provider_1 is degraded, prefer provider_2 and exclude provider_1",
    [{ provider_health_state_in: { provider: "provider_1", states: ["degraded"] } }, prefer("provider_2")],
    [{ provider_health_state_in: { provider: "provider_1", states: ["degraded"] } }, exclude("provider_1")],
  ),
  rules(
    "If the last attempt on provider_3 was declined, skip it and use provider_4",
    [{ previous_outcome_in: ["declined"], previous_provider_in: ["provider_3"] }, exclude("provider_3")],
    [{ previous_outcome_in: ["declined"], previous_provider_in: ["provider_3"] }, prefer("provider_4")],
  ),
  rule(
    "When the previous attempt timed out on provider_1, avoid it",
    { previous_outcome_in: ["timeout"], previous_provider_in: ["provider_1"] },
    exclude("provider_1"),
  ),
  rulesAndDefault("Block payments from Nigeria over $1,000, and default to provider_2", "provider_2", [
    { country_in: ["NG"], amount_gt: 100000, currency_in: ["USD"] },
    block,
  ]),
  rulesAndDefault("Default to provider_1, and block guests over $900", "provider_1", [
    { customer_type_in: ["guest"], amount_gt: 90000, currency_in: ["USD"] },
    block,
  ]),
  rules(
    "Minimize fees for payments under €10, but maximize approvals for payments over €300",
    [{ amount_lt: 1000, currency_in: ["EUR"] }, optimize("cost")],
    [{ amount_gt: 30000, currency_in: ["EUR"] }, optimize("approval")],
  ),
  rules(
    "Keep cost under 2% and require a minimum health of 60",
    [{}, maxCost({ max_effective_bps: 200 })],
    [{}, minHealth(60)],
  ),
  rules(
    "Require health of at least 75 for provider_1, and avoid provider_3 for captures",
    [{}, minHealth(75, "provider_1")],
    [{ transaction_type_in: ["capture"] }, exclude("provider_3")],
  ),
  rules(
    "Only use provider_1 for payments over $25,000, and only use provider_2 in Japan",
    [{ amount_gt: 2500000, currency_in: ["USD"] }, restrict("provider_1")],
    [{ country_in: ["JP"] }, restrict("provider_2")],
  ),
  warned(
    "Split EUR payments 60/40 between provider_1 and provider_3, and exclude provider_5",
    "not_understood",
  ),
  rules(
    "For guests in Brazil, step up the payment and prefer provider_2",
    [{ customer_type_in: ["guest"], country_in: ["BR"] }, stepUp],
    [{ customer_type_in: ["guest"], country_in: ["BR"] }, prefer("provider_2")],
  ),
  rules(
    "On weekends, hold payments over $4,000 and avoid provider_4",
    [{ weekday_utc_gte: 6, amount_gt: 400000, currency_in: ["USD"] }, hold],
    [{ weekday_utc_gte: 6 }, exclude("provider_4")],
  ),
  rules(
    "Block guests in Russia and hold returning customers in Russia over 500 EUR",
    [{ customer_type_in: ["guest"], country_in: ["RU"] }, block],
    [{ customer_type_in: ["returning"], country_in: ["RU"], amount_gt: 50000, currency_in: ["EUR"] }, hold],
  ),
  rules(
    "Hold payments with a risk score over 70 but block payments with a risk score over 90",
    [{ risk_score_gt: 70 }, hold],
    [{ risk_score_gt: 90 }, block],
  ),
  rules(
    "Prefer provider_1 when it is healthy, otherwise prefer provider_2",
    [{ provider_health_state_in: { provider: "provider_1", states: ["healthy"] } }, prefer("provider_1")],
    [
      { none_of: [{ provider_health_state_in: { provider: "provider_1", states: ["healthy"] } }] },
      prefer("provider_2"),
    ],
  ),
  rules(
    "Step up new customers over $200. Also hold new customers over $2,000",
    [{ customer_type_in: ["new"], amount_gt: 20000, currency_in: ["USD"] }, stepUp],
    [{ customer_type_in: ["new"], amount_gt: 200000, currency_in: ["USD"] }, hold],
  ),
  rules(
    "Block payments if the device risk is high and the amount is over $300, and hold payments if the device risk is high",
    [{ device_risk_band_in: ["high"], amount_gt: 30000, currency_in: ["USD"] }, block],
    [{ device_risk_band_in: ["high"] }, hold],
  ),
  warned("Block payments over 900 from guests and hold guests over $100", "amount_without_currency"),
  warned("Prefer provider_1 and prefer provider_9 in NG", "unknown_provider"),
  warned("Exclude provider_4 and hold strange payments", "not_understood"),
];
