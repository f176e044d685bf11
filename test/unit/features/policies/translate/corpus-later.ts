import {
  type Sentence,
  block,
  boosted,
  defaultProvider,
  exclude,
  hold,
  maxCost,
  noRetry,
  optimize,
  prefer,
  restrict,
  retry,
  rule,
  split,
  stepUp,
  warned,
} from "./corpus-sentence.js";

/**
 * Sentences that were written after the grammar could read amounts and history. They ran once, and the results were
 * recorded.
 */
export const LATER: readonly Sentence[] = [
  rule("Block transactions above $9,999.99", { amount_gt: 999999, currency_in: ["USD"] }, block),
  rule(
    "Hold any payment over £1k from a new customer",
    { amount_gt: 100000, currency_in: ["GBP"], customer_type_in: ["new"] },
    hold,
  ),
  rule(
    "Step up card payments over 150 euros in France",
    { payment_method_in: ["card"], amount_gt: 15000, currency_in: ["EUR"], country_in: ["FR"] },
    stepUp,
  ),
  rule(
    "Refuse orders below $2 from guests",
    { amount_lt: 200, currency_in: ["USD"], customer_type_in: ["guest"] },
    block,
  ),
  rule(
    "Hold bank transfers above ₦2,000,000",
    { payment_method_in: ["bank_transfer"], amount_gt: 200000000, currency_in: ["NGN"] },
    hold,
  ),
  rule(
    "Block wallet payments exceeding 75,000 naira",
    { payment_method_in: ["wallet"], amount_gt: 7500000, currency_in: ["NGN"] },
    block,
  ),
  rule(
    "Review purchases above 60,000 Kenyan shillings in Kenya",
    { amount_gt: 6000000, currency_in: ["KES"], country_in: ["KE"] },
    hold,
  ),
  rule(
    "Challenge payments over R$800 from first-time customers",
    { amount_gt: 80000, currency_in: ["BRL"], customer_type_in: ["new"] },
    stepUp,
  ),
  rule(
    "Hold transactions between £200 and £400 in GB",
    { amount_gte: 20000, currency_in: ["GBP"], amount_lte: 40000, country_in: ["GB"] },
    hold,
  ),
  rule(
    "Authenticate payments over 350 Australian dollars",
    { amount_gt: 35000, currency_in: ["AUD"] },
    stepUp,
  ),
  rule(
    "Decline payments over 1,000 Mexican pesos from guests",
    { amount_gt: 100000, currency_in: ["MXN"], customer_type_in: ["guest"] },
    block,
  ),
  warned("Block payments over 20,000 pesos", "ambiguous_currency"),
  warned("Block orders over 4,000 shillings", "ambiguous_currency"),
  rule("Hold payments over USD 750", { amount_gt: 75000, currency_in: ["USD"] }, hold),
  rule(
    "Hold payments over $750 from Canada",
    { amount_gt: 75000, currency_in: ["USD"], country_in: ["CA"] },
    hold,
  ),
  rule(
    "Step up amex payments worth over $1,200",
    { card_network_in: ["amex"], amount_gt: 120000, currency_in: ["USD"] },
    stepUp,
  ),
  rule("Block payments of $0.50 or less", { amount_lte: 50, currency_in: ["USD"] }, block),
  rule(
    "Hold payments when more than €3,000 was attempted in the last hour",
    { velocity_amount_1h_gt: 300000, currency_in: ["EUR"] },
    hold,
  ),
  rule(
    "Cap fees at $0.75 for payments under $20",
    { amount_lt: 2000, currency_in: ["USD"] },
    maxCost({ max_cost_minor: 75 }),
  ),
  rule("Keep the cost below €1 per transaction", { currency_in: ["EUR"] }, maxCost({ max_cost_minor: 99 })),
  rule(
    "Avoid provider_2 when the last attempt on provider_2 timed out",
    { previous_outcome_in: ["timeout"], previous_provider_in: ["provider_2"] },
    exclude("provider_2"),
  ),
  rule(
    "Exclude provider_3 if the previous attempt was declined by provider_3",
    { previous_outcome_in: ["declined"], previous_provider_in: ["provider_3"] },
    exclude("provider_3"),
  ),
  rule(
    "Don't use provider_1 if the previous attempt on provider_1 failed",
    { previous_provider_in: ["provider_1"] },
    exclude("provider_1"),
  ),
  rule(
    "If provider_2 errored, use provider_1",
    { previous_outcome_in: ["error"], previous_provider_in: ["provider_2"] },
    prefer("provider_1"),
  ),
  rule(
    "If the previous attempt was on provider_4 and failed, avoid provider_4",
    { previous_provider_in: ["provider_4"] },
    exclude("provider_4"),
  ),
  rule(
    "Prefer provider_5 after a failed attempt on provider_1",
    { previous_provider_in: ["provider_1"] },
    prefer("provider_5"),
  ),
  rule(
    "Stop using provider_2 after it errored",
    { previous_outcome_in: ["error"], previous_provider_in: ["provider_2"] },
    exclude("provider_2"),
  ),
  rule("Block retries from guests", { has_previous_attempt_is: true, customer_type_in: ["guest"] }, block),
  rule(
    "Hold payments when the previous attempt was declined for suspected_fraud",
    { previous_outcome_in: ["declined"], previous_reason_code_in: ["suspected_fraud"] },
    hold,
  ),
  rule(
    "Use provider_3 when provider_1 has already been tried",
    { previous_provider_in: ["provider_1"] },
    prefer("provider_3"),
  ),
  rule("Do not retry declines with code 51", { previous_outcome_in: ["declined"] }, noRetry("51")),
  rule(
    "Retry on timeout via another provider for payments over $100",
    { amount_gt: 10000, currency_in: ["USD"] },
    retry(false),
  ),
  rule("Block if the risk is over 95", { risk_score_gt: 95 }, block),
  rule("Hold guests if risk is at least 60", { customer_type_in: ["guest"], risk_score_gte: 60 }, hold),
  rule(
    "Block when more than 6 attempts were made in the last 10 minutes",
    { velocity_count_10m_gt: 6 },
    block,
  ),
  rule("Hold carts older than one day", { order_age_seconds_gt: 86400 }, hold),
  rule(
    "Prefer provider_3 when provider_2 is down",
    { provider_health_state_in: { provider: "provider_2", states: ["unavailable"] } },
    prefer("provider_3"),
  ),
  rule(
    "Restrict payments over $50,000 to provider_1",
    { amount_gt: 5000000, currency_in: ["USD"] },
    restrict("provider_1"),
  ),
  rule(
    "Exclude provider_5 for amex payments over £300",
    { card_network_in: ["amex"], amount_gt: 30000, currency_in: ["GBP"] },
    exclude("provider_5"),
  ),
  rule(
    "Optimize for margin on payments over $80",
    { amount_gt: 8000, currency_in: ["USD"] },
    optimize("margin"),
  ),
  warned("Require 3D Secure for European cards", "not_understood"),
  warned("Hold payments from the customer's first day", "not_understood"),
  warned("Prefer whichever provider is fastest", "not_understood"),
  rule(
    "Send 15% of USD payments to provider_2 and the rest to provider_1",
    { currency_in: ["USD"] },
    split({ provider_2: 15, provider_1: 85 }),
  ),
  rule(
    "Give provider_2 a boost of 10 for payments under $30",
    { amount_lt: 3000, currency_in: ["USD"] },
    boosted(10, "provider_2"),
  ),
  rule(
    "Block captures over $700 in shadow mode",
    {
      transaction_type_in: ["capture"],
      amount_gt: 70000,
      currency_in: ["USD"],
      decision_mode_in: ["shadow"],
    },
    block,
  ),
  rule("Hold test payments above $5", { mode_in: ["test"], amount_gt: 500, currency_in: ["USD"] }, hold),
  rule(
    "Step up payments from 22:00 to 04:00 UTC over $100",
    { any_of: [{ hour_utc_gte: 22 }, { hour_utc_lt: 4 }], amount_gt: 10000, currency_in: ["USD"] },
    stepUp,
  ),
  rule(
    "Block payments on Mondays from new customers over ₹5,000",
    {
      weekday_utc_gte: 1,
      weekday_utc_lte: 1,
      customer_type_in: ["new"],
      amount_gt: 500000,
      currency_in: ["INR"],
    },
    block,
  ),
  rule(
    "Block payments where the IP country does not match and the amount is over $150",
    { ip_country_match_is: false, amount_gt: 15000, currency_in: ["USD"] },
    block,
  ),
  rule("Hold payments if fewer than 3 providers are offered", { offered_provider_count_lt: 3 }, hold),
  defaultProvider("Make provider_2 the default provider", "provider_2"),
  rule("Don't retry when the reason is lost_card", {}, noRetry("lost_card")),
  warned("Block if the reason is stolen_card", "not_understood"),
  rule(
    "Guests in Nigeria should be challenged with 3DS",
    { customer_type_in: ["guest"], country_in: ["NG"] },
    stepUp,
  ),
  rule(
    "Step up new customers with SCA if the amount is over 200 EUR",
    { customer_type_in: ["new"], amount_gt: 20000, currency_in: ["EUR"] },
    stepUp,
  ),
  rule("Prefer provider_3 from 8 to 20 UTC", { hour_utc_gte: 8, hour_utc_lt: 20 }, prefer("provider_3")),
  warned("Block from 9 to 17", "amount_without_currency"),
  rule(
    "Apply this rule to visa payments in Kenya: prefer provider_1",
    { card_network_in: ["visa"], country_in: ["KE"] },
    prefer("provider_1"),
  ),
  rule(
    "Apply to 5% of card payments: require 3DS",
    { sample_bps_lt: 500, payment_method_in: ["card"] },
    stepUp,
  ),
  warned("Apply to guests", "not_understood"),
];
