import type { Rule } from "../../src/domain/policy/policy.js";

/**
 * The ten rules of every row with a policy. Each has three conditions, like the engine's own table. Rows (d) and (e)
 * translate them, and the service takes them unchanged. Bounds, lists and flags are what merchants write most.
 */
export const BENCH_RULES: readonly Rule[] = [
  rule(
    1,
    "block_large_guest",
    { amount_gte: 50_000, currency_in: ["USD", "EUR", "GBP"], customer_type_in: ["guest"] },
    { type: "block" },
  ),
  rule(
    2,
    "block_card_testing",
    { velocity_count_10m_gte: 6, previous_decline_count_gte: 2, payment_method_in: ["card"] },
    { type: "block" },
  ),
  rule(
    3,
    "no_retry_hard_codes",
    { has_previous_attempt_is: true, previous_outcome_in: ["declined"], payment_method_in: ["card"] },
    { type: "no_retry", reason_codes: ["stolen_card", "do_not_honor"] },
  ),
  rule(
    4,
    "hold_large_new",
    { amount_gte: 30_000, currency_in: ["USD", "EUR", "GBP"], customer_type_in: ["new"] },
    { type: "hold" },
  ),
  rule(
    5,
    "step_up_risky_score",
    { risk_score_gte: 60, payment_method_in: ["card", "wallet"], customer_type_in: ["guest", "new"] },
    { type: "step_up" },
  ),
  rule(
    6,
    "step_up_risky_device",
    { device_risk_band_in: ["medium", "high"], ip_country_match_is: false, amount_gte: 1_000 },
    { type: "step_up" },
  ),
  rule(
    7,
    "retry_after_timeout",
    {
      previous_outcome_in: ["timeout"],
      payment_method_in: ["card", "wallet"],
      transaction_type_in: ["authorization", "sale"],
    },
    { type: "retry_on_timeout", same_provider: true },
  ),
  rule(
    8,
    "prefer_local_acquirer",
    { payment_method_in: ["card"], country_in: ["NG", "KE", "ZA"], card_network_in: ["visa", "mastercard"] },
    { type: "prefer_provider", providers: ["provider_1"], strict: false, boost: 15 },
  ),
  rule(
    9,
    "no_mobile_money_there",
    { payment_method_in: ["mobile_money"], country_in: ["NG", "KE"], amount_gte: 100 },
    { type: "exclude_provider", providers: ["provider_5"] },
  ),
  rule(
    10,
    "healthy_for_cards",
    { payment_method_in: ["card"], amount_gte: 1_000, customer_type_in: ["new", "returning", "guest"] },
    { type: "require_min_health", min_score: 60 },
  ),
];

function rule(position: number, name: string, when: Rule["when"], then: Rule["then"]): Rule {
  return { rule_id: `rule_bench_${position}`, name, priority: position * 10, enabled: true, when, then };
}

/** One condition of a rule, in the only three forms that the rivals' translations support. */
export type RivalCondition =
  | { field: string; test: "gte"; value: number }
  | { field: string; test: "in"; value: readonly string[] }
  | { field: string; test: "is"; value: boolean };

/** @throws {RangeError} for a condition without a translation, because the rows must run equal policies. */
export function rivalConditions(when: Rule["when"]): RivalCondition[] {
  return Object.entries(when).map(([key, value]) => {
    const [, field, test] = /^(.+)_(gte|in|is)$/.exec(key) ?? [];
    if (field !== undefined) {
      if (test === "gte" && typeof value === "number") return { field, test, value };
      if (test === "in" && Array.isArray(value)) return { field, test, value: value as string[] };
      if (test === "is" && typeof value === "boolean") return { field, test, value };
    }
    throw new RangeError(`condition ${key} has no translation`);
  });
}
