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
  retry,
  rule,
  rules,
  rulesAndDefault,
  split,
  stepUp,
  warned,
} from "./corpus-sentence.js";

/**
 * Several statements in one sentence, some of which can be read in two ways. They were written before the grammar could
 * read them.
 */
export const COMPOUND: readonly Sentence[] = [
  rules(
    "Block payments over 5000 USD from guests and hold payments from new customers over 1000 USD",
    [{ amount_gt: 500000, currency_in: ["USD"], customer_type_in: ["guest"] }, block],
    [{ customer_type_in: ["new"], amount_gt: 100000, currency_in: ["USD"] }, hold],
  ),
  rules(
    "Block payments over $5,000 from guests and hold payments from new customers over $1,000",
    [{ amount_gt: 500000, currency_in: ["USD"], customer_type_in: ["guest"] }, block],
    [{ customer_type_in: ["new"], amount_gt: 100000, currency_in: ["USD"] }, hold],
  ),
  rules(
    "Prefer provider_1 for visa cards, but exclude provider_2 in NG",
    [{ card_network_in: ["visa"], payment_method_in: ["card"] }, prefer("provider_1")],
    [{ country_in: ["NG"] }, exclude("provider_2")],
  ),
  rules(
    "Prefer provider_1 for visa cards but never use provider_2 in Nigeria",
    [{ card_network_in: ["visa"], payment_method_in: ["card"] }, prefer("provider_1")],
    [{ country_in: ["NG"] }, exclude("provider_2")],
  ),
  warned("Block if the risk score is above 80, hold if it is above 60", "amount_without_currency"),
  rules(
    "Send visa to provider_1 and mastercard to provider_2",
    [{ card_network_in: ["visa"] }, prefer("provider_1")],
    [{ card_network_in: ["mastercard"] }, prefer("provider_2")],
  ),
  rules(
    "Send visa to provider_1, mastercard to provider_2 and amex to provider_3",
    [{ card_network_in: ["visa"] }, prefer("provider_1")],
    [{ card_network_in: ["mastercard"] }, prefer("provider_2")],
    [{ card_network_in: ["amex"] }, prefer("provider_3")],
  ),
  rules(
    "Prefer provider_1 for visa in NG and provider_2 for mastercard in KE",
    [{ card_network_in: ["visa"], country_in: ["NG"] }, prefer("provider_1")],
    [{ card_network_in: ["mastercard"], country_in: ["KE"] }, prefer("provider_2")],
  ),
  warned("Prefer provider_1 for visa and provider_2", "not_understood"),
  rulesAndDefault("Prefer provider_1 for visa, and default to provider_3", "provider_3", [
    { card_network_in: ["visa"] },
    prefer("provider_1"),
  ]),
  rulesAndDefault("Prefer provider_1 for visa and default to provider_3", "provider_3", [
    { card_network_in: ["visa"] },
    prefer("provider_1"),
  ]),
  rulesAndDefault("Block guests over $500 and default to provider_2", "provider_2", [
    { customer_type_in: ["guest"], amount_gt: 50000, currency_in: ["USD"] },
    block,
  ]),
  rules(
    "Don't retry on insufficient_funds, and retry on timeout with the same provider",
    [{}, noRetry("insufficient_funds")],
    [{}, retry(true)],
  ),
  rules(
    "Don't retry on insufficient_funds or stolen_card, but retry on timeout with another provider",
    [{}, noRetry("insufficient_funds", "stolen_card")],
    [{}, retry(false)],
  ),
  rules(
    "Retry on timeout with another provider, and never retry on stolen_card",
    [{}, retry(false)],
    [{}, noRetry("stolen_card")],
  ),
  warned("Retry on timeout but not on stolen_card", "not_understood"),
  rules(
    "Hold payments over $500 from new customers, and step up payments over $200",
    [{ amount_gt: 50000, currency_in: ["USD"], customer_type_in: ["new"] }, hold],
    [{ amount_gt: 20000, currency_in: ["USD"] }, stepUp],
  ),
  rules(
    "Block payments from Russia and hold payments from Ukraine over 1000 EUR",
    [{ country_in: ["RU"] }, block],
    [{ country_in: ["UA"], amount_gt: 100000, currency_in: ["EUR"] }, hold],
  ),
  rules(
    "Block high risk payments and hold medium risk payments",
    [{ risk_level_in: ["high"] }, block],
    [{ risk_level_in: ["medium"] }, hold],
  ),
  rules(
    "Block guests in NG, hold guests in KE and step up guests in GH",
    [{ customer_type_in: ["guest"], country_in: ["NG"] }, block],
    [{ customer_type_in: ["guest"], country_in: ["KE"] }, hold],
    [{ customer_type_in: ["guest"], country_in: ["GH"] }, stepUp],
  ),
  rules(
    "Exclude provider_1 when it is degraded and prefer provider_2 when the country is NG",
    [{ provider_health_state_in: { provider: "provider_1", states: ["degraded"] } }, exclude("provider_1")],
    [{ country_in: ["NG"] }, prefer("provider_2")],
  ),
  rules(
    "Exclude provider_1 when it is degraded, and exclude provider_2 when it is degraded",
    [{ provider_health_state_in: { provider: "provider_1", states: ["degraded"] } }, exclude("provider_1")],
    [{ provider_health_state_in: { provider: "provider_2", states: ["degraded"] } }, exclude("provider_2")],
  ),
  rules(
    "Exclude provider_1 in NG and provider_2 in KE",
    [{ country_in: ["NG"] }, exclude("provider_1")],
    [{ country_in: ["KE"] }, exclude("provider_2")],
  ),
  rules(
    "Avoid provider_3 for amex and avoid provider_4 for discover",
    [{ card_network_in: ["amex"] }, exclude("provider_3")],
    [{ card_network_in: ["discover"] }, exclude("provider_4")],
  ),
  rules(
    "Cap cost at 150 bps for visa and cap cost at 200 bps for amex",
    [{ card_network_in: ["visa"] }, maxCost({ max_effective_bps: 150 })],
    [{ card_network_in: ["amex"] }, maxCost({ max_effective_bps: 200 })],
  ),
  rules(
    "Minimize cost for payments under $20 and maximize approval for payments over $500",
    [{ amount_lt: 2000, currency_in: ["USD"] }, optimize("cost")],
    [{ amount_gt: 50000, currency_in: ["USD"] }, optimize("approval")],
  ),
  rules(
    "Split visa traffic 80/20 between provider_1 and provider_2, and send amex to provider_3",
    [{ card_network_in: ["visa"] }, split({ provider_1: 80, provider_2: 20 })],
    [{ card_network_in: ["amex"] }, prefer("provider_3")],
  ),
  rules(
    "Send 20% of traffic to provider_5 and the rest to provider_1, but exclude provider_5 for payments over $5,000",
    [{}, split({ provider_5: 20, provider_1: 80 })],
    [{ amount_gt: 500000, currency_in: ["USD"] }, exclude("provider_5")],
  ),
  rules(
    "Require health of at least 70 for provider_2, and exclude provider_5",
    [{}, minHealth(70, "provider_2")],
    [{}, exclude("provider_5")],
  ),
  rules(
    "Block payments over $5,000; also hold payments over $1,000",
    [{ amount_gt: 500000, currency_in: ["USD"] }, block],
    [{ amount_gt: 100000, currency_in: ["USD"] }, hold],
  ),
  warned(
    "Block payments over 5000 from guests and hold payments over 1000 USD from new customers",
    "amount_without_currency",
  ),
  warned("Block payments over $5,000 from guests and hold suspicious payments", "not_understood"),
  warned("Block payments over $5,000 and hold", "unconditional"),
  warned("Prefer provider_1 and exclude provider_2 in NG", "not_understood"),
  warned("Prefer provider_1 for visa and exclude provider_2", "not_understood"),
  warned("Block guests and hold new customers if the risk score is above 50", "not_understood"),
  rules(
    "Block guests, and hold new customers if the risk score is above 50",
    [{ customer_type_in: ["guest"] }, block],
    [{ customer_type_in: ["new"], risk_score_gt: 50 }, hold],
  ),
  warned("Hold guests over $500 and new customers over $300", "not_understood"),
  warned("Block payments over $500 in NG and over $300 in KE", "contradiction"),
  warned("Block visa over $500 and amex over $300", "not_understood"),
  warned("Block payments from guests over $500 or new customers over $300", "not_understood"),
  rules(
    "Prefer provider_1, but exclude provider_2 for amex",
    [{}, prefer("provider_1")],
    [{ card_network_in: ["amex"] }, exclude("provider_2")],
  ),
  rules(
    "Route EUR payments to provider_1; route USD payments to provider_2",
    [{ currency_in: ["EUR"] }, prefer("provider_1")],
    [{ currency_in: ["USD"] }, prefer("provider_2")],
  ),
  rules(
    "Block payments over $5,000 unless the customer is returning, and hold payments over $1,000 from guests",
    [{ amount_gt: 500000, currency_in: ["USD"], none_of: [{ customer_type_in: ["returning"] }] }, block],
    [{ amount_gt: 100000, currency_in: ["USD"], customer_type_in: ["guest"] }, hold],
  ),
  rules(
    "Hold payments over $1,000 from guests, except in the US, and block payments over $10,000",
    [{ amount_gt: 100000, currency_in: ["USD"], customer_type_in: ["guest"], country_not_in: ["US"] }, hold],
    [{ amount_gt: 1000000, currency_in: ["USD"] }, block],
  ),
  rules(
    "Block guests and block NG",
    [{ customer_type_in: ["guest"] }, block],
    [{ country_in: ["NG"] }, block],
  ),
  rule("Hold guests, but not in NG", { customer_type_in: ["guest"], country_not_in: ["NG"] }, hold),
  warned("Hold payments from guests but block them over $5,000", "not_understood"),
  rules(
    "Block guests and if the risk score is above 80 hold new customers",
    [{ customer_type_in: ["guest"] }, block],
    [{ risk_score_gt: 80, customer_type_in: ["new"] }, hold],
  ),
  warned("Block guests, if the risk score is above 80, hold new customers", "not_understood"),
  warned("Block them over $500", "not_understood"),
  rule(
    "Block payments from guests, and if the risk score is above 80",
    { customer_type_in: ["guest"], risk_score_gt: 80 },
    block,
  ),
  rules(
    "Block payments from guests and if the risk score is above 80, prefer provider_1",
    [{ customer_type_in: ["guest"] }, block],
    [{ risk_score_gt: 80 }, prefer("provider_1")],
  ),
  rules(
    "Exclude provider_1 when it is degraded, and exclude provider_2 when it is critical",
    [{ provider_health_state_in: { provider: "provider_1", states: ["degraded"] } }, exclude("provider_1")],
    [{ provider_health_state_in: { provider: "provider_2", states: ["critical"] } }, exclude("provider_2")],
  ),
];
