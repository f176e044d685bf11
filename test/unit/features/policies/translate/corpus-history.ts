import {
  type Sentence,
  block,
  exclude,
  hold,
  noRetry,
  prefer,
  retry,
  rule,
  rules,
  warned,
} from "./corpus-sentence.js";

/** Rules about the previous attempt, and a few more phrases. They were written before the grammar could read them. */
export const HISTORY: readonly Sentence[] = [
  rule(
    "Exclude provider_1 when the previous attempt on provider_1 timed out",
    { previous_outcome_in: ["timeout"], previous_provider_in: ["provider_1"] },
    exclude("provider_1"),
  ),
  rule(
    "Exclude provider_1 when the previous attempt with provider_1 was declined",
    { previous_outcome_in: ["declined"], previous_provider_in: ["provider_1"] },
    exclude("provider_1"),
  ),
  rule(
    "Avoid provider_2 if the last attempt at provider_2 errored",
    { previous_outcome_in: ["error"], previous_provider_in: ["provider_2"] },
    exclude("provider_2"),
  ),
  rule(
    "Skip provider_3 if the prior attempt failed on provider_3",
    { previous_provider_in: ["provider_3"] },
    exclude("provider_3"),
  ),
  rule(
    "Don't use provider_4 if the previous attempt failed with provider_4",
    { previous_provider_in: ["provider_4"] },
    exclude("provider_4"),
  ),
  rule(
    "When the previous attempt failed with provider_2, exclude it",
    { previous_provider_in: ["provider_2"] },
    exclude("provider_2"),
  ),
  rule(
    "If the previous attempt on provider_1 timed out, use provider_2",
    { previous_outcome_in: ["timeout"], previous_provider_in: ["provider_1"] },
    prefer("provider_2"),
  ),
  rule(
    "If provider_1 timed out on the previous attempt, exclude it",
    { previous_outcome_in: ["timeout"], previous_provider_in: ["provider_1"], has_previous_attempt_is: true },
    exclude("provider_1"),
  ),
  rule(
    "If the previous attempt was declined, prefer provider_3",
    { previous_outcome_in: ["declined"] },
    prefer("provider_3"),
  ),
  rule(
    "If the previous attempt was declined by provider_1, prefer provider_3",
    { previous_outcome_in: ["declined"], previous_provider_in: ["provider_1"] },
    prefer("provider_3"),
  ),
  rule(
    "After a timeout on provider_2, exclude it",
    { previous_outcome_in: ["timeout"], previous_provider_in: ["provider_2"] },
    exclude("provider_2"),
  ),
  rule(
    "After a failed attempt on provider_1, prefer provider_4",
    { previous_provider_in: ["provider_1"] },
    prefer("provider_4"),
  ),
  rule("After a failed attempt, prefer provider_5", { has_previous_attempt_is: true }, prefer("provider_5")),
  rule(
    "Exclude provider_1 if it timed out",
    { previous_outcome_in: ["timeout"], previous_provider_in: ["provider_1"] },
    exclude("provider_1"),
  ),
  rule("Exclude provider_1 after it failed", { previous_provider_in: ["provider_1"] }, exclude("provider_1")),
  warned("Avoid provider_2 after it was declined there", "not_understood"),
  rule(
    "Exclude provider_1 when it was already tried",
    { previous_provider_in: ["provider_1"] },
    exclude("provider_1"),
  ),
  rule(
    "If provider_1 has already been tried, exclude it",
    { previous_provider_in: ["provider_1"] },
    exclude("provider_1"),
  ),
  rule(
    "Avoid provider_5 when the previous attempt was on provider_5 and timed out",
    { previous_outcome_in: ["timeout"], previous_provider_in: ["provider_5"] },
    exclude("provider_5"),
  ),
  rule(
    "Block payments if the previous attempt failed with stolen_card",
    { previous_reason_code_in: ["stolen_card"] },
    block,
  ),
  rule(
    "Block payments when the previous reason code was fraudulent_card or stolen_card",
    { previous_reason_code_in: ["fraudulent_card", "stolen_card"] },
    block,
  ),
  rule(
    "Hold retries over $1,000",
    { has_previous_attempt_is: true, amount_gt: 100000, currency_in: ["USD"] },
    hold,
  ),
  warned("Step up on the second attempt", "not_understood"),
  rule("Prefer provider_2 for first attempts", { has_previous_attempt_is: false }, prefer("provider_2")),
  rule("Prefer provider_2 on the first attempt", { has_previous_attempt_is: false }, prefer("provider_2")),
  rule(
    "Prefer provider_3 when there was a previous attempt",
    { has_previous_attempt_is: true },
    prefer("provider_3"),
  ),
  rule(
    "Block if the last attempt was declined with do_not_honor",
    { previous_outcome_in: ["declined"], previous_reason_code_in: ["do_not_honor"] },
    block,
  ),
  rule(
    "Use provider_2 for retries after a timeout",
    { has_previous_attempt_is: true, previous_outcome_in: ["timeout"] },
    prefer("provider_2"),
  ),
  rule("Retry timed-out payments on another provider", {}, retry(false)),
  rule("Retry on timeout with the same provider", {}, retry(true)),
  rule("Retry timeouts with a different provider for visa", { card_network_in: ["visa"] }, retry(false)),
  rule(
    "If the previous attempt timed out, retry with another provider",
    { previous_outcome_in: ["timeout"] },
    retry(false),
  ),
  rule(
    "Don't retry on insufficient_funds, stolen_card or lost_card",
    {},
    noRetry("insufficient_funds", "stolen_card", "lost_card"),
  ),
  rule("Do not retry declines with code 05", { previous_outcome_in: ["declined"] }, noRetry("05")),
  rule("Never retry when the code is expired_card", {}, noRetry("expired_card")),
  warned("Don't retry fraud", "not_understood"),
  rule("No retries on stolen_card", {}, noRetry("stolen_card")),
  rule(
    "Don't retry insufficient_funds for amex",
    { card_network_in: ["amex"] },
    noRetry("insufficient_funds"),
  ),
  rules(
    "Use provider_1 for EUR and provider_2 for USD",
    [{ currency_in: ["EUR"] }, prefer("provider_1")],
    [{ currency_in: ["USD"] }, prefer("provider_2")],
  ),
  rules(
    "Prefer provider_1 for visa and provider_2 for mastercard",
    [{ card_network_in: ["visa"] }, prefer("provider_1")],
    [{ card_network_in: ["mastercard"] }, prefer("provider_2")],
  ),
  rule(
    "Prefer provider_2 when provider_1 is down",
    { provider_health_state_in: { provider: "provider_1", states: ["unavailable"] } },
    prefer("provider_2"),
  ),
  rule("Block if risk is above 85", { risk_score_gt: 85 }, block),
  rule("Block when more than 5 attempts were made in 10 minutes", { velocity_count_10m_gt: 5 }, block),
  rule("Hold carts younger than one minute", { order_age_seconds_lt: 60 }, hold),
];
