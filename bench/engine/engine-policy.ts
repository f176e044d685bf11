import type { Conditions, Policy, Rule, RuleAction } from "../../src/domain/policy/policy.js";
import { PAYMENT_METHODS } from "../../src/domain/vocabulary/vocabulary.js";

/** The policies for measuring the engine, and the values in its requests. */
export const PROVIDERS = ["provider_1", "provider_2", "provider_3"];
export const CURRENCIES = ["USD", "EUR", "NGN", "KES"];
export const COUNTRIES = ["US", "DE", "NG", "KE"];

export function pick<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}

const ACTIONS: readonly RuleAction[] = [
  { type: "step_up" },
  { type: "prefer_provider", providers: ["provider_2"], strict: false, boost: 15 },
  { type: "exclude_provider", providers: ["provider_3"] },
  { type: "require_min_health", min_score: 60 },
  { type: "retry_on_timeout", same_provider: true },
  { type: "no_retry", reason_codes: ["insufficient_funds", "do_not_honor"] },
  { type: "hold", reason_code: "LARGE_ORDER" },
  { type: "restrict_providers", providers: PROVIDERS },
];

/** Each rule has three conditions. The first holds for most requests, so that evaluation does not stop at once. */
function rule(index: number): Rule {
  const shapes: readonly Conditions[] = [
    {
      amount_gte: 1000,
      currency_in: [pick(CURRENCIES, index)],
      country_in: [pick(COUNTRIES, index >> 2), "BR"],
    },
    {
      amount_gte: 2000,
      payment_method_in: [pick(PAYMENT_METHODS, index)],
      customer_type_in: ["guest", "new"],
    },
    { transaction_type_in: ["authorization"], risk_score_gte: 20, currency_not_in: ["JPY", "INR", "GBP"] },
    { amount_lt: 240_000, velocity_count_10m_gte: 2, ip_country_match_is: true },
  ];
  return {
    rule_id: `rule_${index}`,
    name: `Rule number ${index}`,
    priority: index * 10,
    enabled: true,
    when: pick(shapes, index),
    then: pick(ACTIONS, index),
  };
}

export function policy(rules: number): Policy {
  return {
    policy_id: "pol_01jd4wqk2m0000000000000000",
    name: "Bench",
    status: "published",
    version: "v3",
    default_provider: "provider_1",
    rules: Array.from({ length: rules }, (_, index) => rule(index)),
    updated_at: "2026-11-20T12:00:00.000Z",
  };
}
