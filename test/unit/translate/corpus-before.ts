import { type Sentence, defaultProvider, rule, warned } from "./corpus-sentence.js";

const block = { type: "block" } as const;
const hold = { type: "hold" } as const;
const stepUp = { type: "step_up" } as const;
const prefer = (...providers: string[]) =>
  ({ type: "prefer_provider", providers, strict: true, boost: 15 }) as const;
const boosted = (boost: number, ...providers: string[]) =>
  ({ type: "prefer_provider", providers, strict: false, boost }) as const;
const exclude = (...providers: string[]) => ({ type: "exclude_provider", providers }) as const;
const restrict = (...providers: string[]) => ({ type: "restrict_providers", providers }) as const;
const noRetry = (...reason_codes: string[]) => ({ type: "no_retry", reason_codes }) as const;
const retry = (same_provider: boolean) => ({ type: "retry_on_timeout", same_provider }) as const;
const split = (weights: Record<string, number>) => ({ type: "split_traffic", weights }) as const;

/** Written before the grammar was: what the grammar was made to understand. */
export const BEFORE: readonly Sentence[] = [
  // The contract's own examples.
  rule(
    "Block payments over 5000 USD from guests",
    { amount_gt: 500_000, currency_in: ["USD"], customer_type_in: ["guest"] },
    block,
  ),
  rule(
    "Prefer provider_1 for visa cards in NG",
    { card_network_in: ["visa"], payment_method_in: ["card"], country_in: ["NG"] },
    prefer("provider_1"),
  ),
  rule(
    "Don't retry on insufficient_funds or do_not_honor",
    {},
    noRetry("insufficient_funds", "do_not_honor"),
  ),
  rule("Send 30% to provider_2 and the rest to provider_1", {}, split({ provider_2: 30, provider_1: 70 })),
  defaultProvider("Default to provider_3", "provider_3"),
  // Actions.
  rule("Block all payments from Nigeria", { country_in: ["NG"] }, block),
  rule(
    "Reject guest payments above 250.50 EUR",
    { customer_type_in: ["guest"], amount_gt: 25_050, currency_in: ["EUR"] },
    block,
  ),
  rule(
    "Do not allow mobile money payments in KE",
    { payment_method_in: ["mobile_money"], country_in: ["KE"] },
    block,
  ),
  rule("Hold payments of at least 10,000 USD", { amount_gte: 1_000_000, currency_in: ["USD"] }, hold),
  rule(
    "Hold new customers over 2k USD for review",
    { customer_type_in: ["new"], amount_gt: 200_000, currency_in: ["USD"] },
    hold,
  ),
  rule("Review orders with a risk score over 80", { risk_score_gt: 80 }, hold),
  rule("Send guest payments to manual review", { customer_type_in: ["guest"] }, hold),
  rule("Step up payments from new customers", { customer_type_in: ["new"] }, stepUp),
  rule(
    "Require 3DS for card payments over 150 EUR",
    { payment_method_in: ["card"], amount_gt: 15_000, currency_in: ["EUR"] },
    stepUp,
  ),
  rule(
    "Challenge guests with a risk score of at least 60",
    { customer_type_in: ["guest"], risk_score_gte: 60 },
    stepUp,
  ),
  rule("Route wallet payments to provider_4", { payment_method_in: ["wallet"] }, prefer("provider_4")),
  rule("Use provider 2 for amex", { card_network_in: ["amex"] }, prefer("provider_2")),
  rule(
    "Prefer provider_1, then provider_2 for mastercard",
    { card_network_in: ["mastercard"] },
    prefer("provider_1", "provider_2"),
  ),
  rule("Slightly prefer provider_3 for EUR payments", { currency_in: ["EUR"] }, boosted(15, "provider_3")),
  rule("Boost provider_2 by 20 in Kenya", { country_in: ["KE"] }, boosted(20, "provider_2")),
  rule("Exclude provider_5", {}, exclude("provider_5")),
  rule(
    "Never use provider_4 for bank transfers",
    { payment_method_in: ["bank_transfer"] },
    exclude("provider_4"),
  ),
  rule("Avoid provider_1 and provider_2 in BR", { country_in: ["BR"] }, exclude("provider_1", "provider_2")),
  rule(
    "Do not send verve cards to provider_3",
    { card_network_in: ["verve"], payment_method_in: ["card"] },
    exclude("provider_3"),
  ),
  rule(
    "Only use provider_1 or provider_2 for JPY",
    { currency_in: ["JPY"] },
    restrict("provider_1", "provider_2"),
  ),
  rule("Restrict amex payments to provider_1", { card_network_in: ["amex"] }, restrict("provider_1")),
  rule("Require a health score of at least 80", {}, { type: "require_min_health", min_score: 80 }),
  rule(
    "Require health of at least 70 for provider_2",
    {},
    { type: "require_min_health", min_score: 70, providers: ["provider_2"] },
  ),
  rule(
    "Don't use providers with health below 60 for card payments",
    { payment_method_in: ["card"] },
    { type: "require_min_health", min_score: 60 },
  ),
  rule("Retry on timeout", {}, retry(true)),
  rule("Retry on timeout with another provider", {}, retry(false)),
  rule("Retry timeouts on the same provider for visa", { card_network_in: ["visa"] }, retry(true)),
  rule("Never retry on reason code 05", {}, noRetry("05")),
  rule("Cap cost at 150 bps", {}, { type: "max_cost", max_effective_bps: 150 }),
  rule("Limit the cost to 2.5%", {}, { type: "max_cost", max_effective_bps: 250 }),
  rule(
    "Never pay more than 3 USD in fees",
    { currency_in: ["USD"] },
    { type: "max_cost", max_cost_minor: 300 },
  ),
  rule("Optimize for approval", {}, { type: "optimize_for", mode: "approval" }),
  rule(
    "Optimise for cost in the United States",
    { country_in: ["US"] },
    { type: "optimize_for", mode: "cost" },
  ),
  rule(
    "Minimize cost for bank transfers",
    { payment_method_in: ["bank_transfer"] },
    { type: "optimize_for", mode: "cost" },
  ),
  rule("Balance cost and approval", {}, { type: "optimize_for", mode: "balanced" }),
  rule(
    "Optimize for margin with a margin of 20%",
    {},
    { type: "optimize_for", mode: "margin", margin_bps: 2000 },
  ),
  rule(
    "Optimize for cost with a maximum approval drop of 2%",
    {},
    { type: "optimize_for", mode: "cost", max_approval_drop_bps: 200 },
  ),
  rule(
    "Split traffic 70/30 between provider_1 and provider_2",
    {},
    split({ provider_1: 70, provider_2: 30 }),
  ),
  rule(
    "Split card payments evenly between provider_1 and provider_2",
    { payment_method_in: ["card"] },
    split({ provider_1: 50, provider_2: 50 }),
  ),
  rule(
    "Send 50% to provider_1, 30% to provider_2 and the remainder to provider_3 for GBP",
    { currency_in: ["GBP"] },
    split({ provider_1: 50, provider_2: 30, provider_3: 20 }),
  ),
  defaultProvider("Use provider_2 as the default provider", "provider_2"),
  // Conditions.
  rule("Block payments under 1 USD", { amount_lt: 100, currency_in: ["USD"] }, block),
  rule("Block payments up to 500 JPY", { amount_lte: 500, currency_in: ["JPY"] }, block),
  rule(
    "Hold payments between 1 and 2.5 KWD",
    { amount_gte: 1000, amount_lte: 2500, currency_in: ["KWD"] },
    hold,
  ),
  rule("Block payments in USD or EUR from GB", { currency_in: ["USD", "EUR"], country_in: ["GB"] }, block),
  rule("Block payments from outside Nigeria and Kenya", { country_not_in: ["NG", "KE"] }, block),
  rule("Block payments not in USD", { currency_not_in: ["USD"] }, block),
  rule("Block non-card payments", { payment_method_not_in: ["card"] }, block),
  rule("Hold payments if the customer is not returning", { customer_type_not_in: ["returning"] }, hold),
  rule(
    "Block card payments except in US, CA and GB",
    { payment_method_in: ["card"], country_not_in: ["US", "CA", "GB"] },
    block,
  ),
  rule(
    "Step up payments over 500 USD unless the customer is returning",
    { amount_gt: 50_000, currency_in: ["USD"], none_of: [{ customer_type_in: ["returning"] }] },
    stepUp,
  ),
  rule(
    "Hold capture transactions over 1000 USD",
    { transaction_type_in: ["capture"], amount_gt: 100_000, currency_in: ["USD"] },
    hold,
  ),
  rule("Hold payments with risk level high", { risk_level_in: ["high"] }, hold),
  rule("Hold payments with more than 5 attempts in the last 10 minutes", { velocity_count_10m_gt: 5 }, hold),
  rule("Block customers with at least 20 attempts in the last hour", { velocity_count_1h_gte: 20 }, block),
  rule(
    "Hold payments if more than 2000 USD was attempted in the last hour",
    { velocity_amount_1h_gt: 200_000, currency_in: ["USD"] },
    hold,
  ),
  rule(
    "Step up customers with fewer than 2 previous successful payments",
    { previous_success_count_lt: 2 },
    stepUp,
  ),
  rule("Block customers with more than 10 previous declines", { previous_decline_count_gt: 10 }, block),
  rule("Hold orders younger than 10 seconds", { order_age_seconds_lt: 10 }, hold),
  rule("Step up payments with high device risk", { device_risk_band_in: ["high"] }, stepUp),
  rule("Step up payments if the IP country does not match", { ip_country_match_is: false }, stepUp),
  rule("Hold payments with a merchant risk score above 70", { merchant_supplied_risk_score_gt: 70 }, hold),
  rule("Block payments if the computed risk score is at least 90", { computed_risk_score_gte: 90 }, block),
  rule("Hold payments in the high or extreme risk band", { risk_band_in: ["high", "extreme"] }, hold),
  rule("Prefer provider_2 on retries", { has_previous_attempt_is: true }, prefer("provider_2")),
  rule(
    "Avoid provider_1 after a timeout on provider_1",
    { previous_outcome_in: ["timeout"], previous_provider_in: ["provider_1"] },
    exclude("provider_1"),
  ),
  rule(
    "Prefer provider_3 if the previous outcome was declined or error",
    { previous_outcome_in: ["declined", "error"] },
    prefer("provider_3"),
  ),
  rule(
    "Step up payments when the previous reason code is suspected_fraud",
    { previous_reason_code_in: ["suspected_fraud"] },
    stepUp,
  ),
  rule(
    "Prefer provider_2 when provider_1 is degraded or critical",
    { provider_health_state_in: { provider: "provider_1", states: ["degraded", "critical"] } },
    prefer("provider_2"),
  ),
  rule("Hold payments when provider_1 is not offered", { offered_provider_not_in: ["provider_1"] }, hold),
  rule("Hold payments if fewer than 2 providers are offered", { offered_provider_count_lt: 2 }, hold),
  rule("Prefer provider_5 for 10% of payments", { sample_bps_lt: 1000 }, prefer("provider_5")),
  rule(
    "Hold payments between 22:00 and 06:00 UTC",
    { any_of: [{ hour_utc_gte: 22 }, { hour_utc_lt: 6 }] },
    hold,
  ),
  rule(
    "Hold payments between 9 and 17 UTC on weekdays",
    { hour_utc_gte: 9, hour_utc_lt: 17, weekday_utc_lte: 5 },
    hold,
  ),
  rule("Step up payments on weekends", { weekday_utc_gte: 6 }, stepUp),
  rule(
    "Block payments in test mode over 100 USD",
    { mode_in: ["test"], amount_gt: 10_000, currency_in: ["USD"] },
    block,
  ),
  rule("Prefer provider_4 in shadow mode", { decision_mode_in: ["shadow"] }, prefer("provider_4")),
  rule(
    "If the amount is over 500 USD and the customer is a guest, step up the payment",
    { amount_gt: 50_000, currency_in: ["USD"], customer_type_in: ["guest"] },
    stepUp,
  ),
  rule(
    "Block payments if the country is NG or the risk score is over 90",
    { any_of: [{ country_in: ["NG"] }, { risk_score_gt: 90 }] },
    block,
  ),
  // Refused: never a guess.
  warned("Block payments over 5000 from guests", "amount_without_currency"),
  warned("Block payments over $5000", "ambiguous_currency"),
  warned("Block payments over 10.5 JPY", "amount_precision"),
  warned("Prefer provider_9 for visa", "unknown_provider"),
  warned("Block suspicious payments", "not_understood"),
  warned("Send 30% to provider_2 and 30% to provider_1", "weights_not_100"),
  warned("Block visa payments in NG or over 500 USD in KE", "not_understood"),
  warned("Hold payments between 22:00 and 06:00", "time_without_zone"),
];
