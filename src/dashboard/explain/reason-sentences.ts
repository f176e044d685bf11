import type { OptimizationMode } from "../../domain/vocabulary/vocabulary.js";

/** Codes that contain no provider and no objective. */
const SENTENCES: Readonly<Record<string, string>> = {
  BLOCKED_BY_POLICY: "A policy rule blocks this payment.",
  RISK_SCORE_ABOVE_BLOCK_THRESHOLD: "The merchant's own risk score is above the workspace's block threshold.",
  RETRY_SUPPRESSED_BY_POLICY:
    "A policy rule forbids another try after the reason the last attempt failed for.",
  HOLD_REQUIRED_BY_POLICY: "A policy rule asks for a person to review this payment first.",
  HOLD_REVIEW_REJECTED: "A reviewer rejected the held payment.",
  STEP_UP_REQUIRED_BY_POLICY: "A policy rule asks the customer to authenticate first.",
  DEFAULT_ROUTE_APPLIED: "No offered provider was eligible, so the policy's default provider takes it.",
  NO_HEALTHY_PROVIDER_AVAILABLE:
    "No offered provider was eligible; the best of those the policy allows takes it.",
  POLICY_EXCLUDED_PROVIDER: "A policy rule excludes at least one offered provider.",
  NO_ELIGIBLE_PROVIDER: "The policy excludes every offered provider.",
  FAILOVER_PREVIOUS_PROVIDER_UNHEALTHY: "The provider of the last attempt timed out and is not healthy.",
  RETRY_ALLOWED_BY_POLICY: "The last attempt timed out, and a policy rule allows another try.",
  RETRY_ALLOWED_BY_SCHEME_RULES: "The card scheme's rules allow another try now.",
  RETRY_FORBIDDEN_BY_SCHEME:
    "The card scheme allows no other try after the reason the last attempt failed for.",
  RETRY_BUDGET_EXHAUSTED:
    "The order has had as many tries as the card scheme, or the policy, allows in this time.",
  RETRY_TOO_EARLY: "The card scheme asks for a longer wait before another try.",
  RETRY_GAIN_TOO_LOW: "Another try is expected to earn less than the policy asks for.",
  PREVIOUS_ATTEMPT_FAILED_HERE:
    "The last attempt failed at this provider, and it is first all the same: the policy or its better health puts it there.",
  HIGHER_EXPECTED_APPROVAL_RATE: "It has the highest approval rate of the eligible providers.",
  POLICY_PREFERRED_PROVIDER: "A policy rule prefers this provider.",
  TRAFFIC_SPLIT_APPLIED: "A policy rule splits the traffic, and this order falls to this provider.",
  HEALTHY_FOR_SEGMENT: "The provider is healthy for this payment method and currency.",
  CIRCUIT_OPEN: "At least one provider is unavailable: too many of its requests failed.",
  HEALTH_CRITICAL: "At least one provider's health is critical.",
  HEALTH_BELOW_POLICY_MINIMUM:
    "At least one provider's health is below the minimum that a policy rule asks for.",
  COST_ABOVE_POLICY_LIMIT: "At least one provider costs more than a policy rule allows.",
  COST_LIMIT_NOT_CHECKED:
    "At least one provider has no real price, so it was not held to the cost limit of a policy rule.",
  MERCHANT_CONTRACT_PRICING_USED: "The cost comes from the merchant's contract.",
  OBSERVED_PRICING_USED: "The cost comes from fees observed through provider webhooks.",
  ESTIMATED_FALLBACK_PRICING_USED: "The cost is an estimate and not treated as real pricing.",
  PRICING_UNKNOWN: "No price is known for this provider.",
  RISK_ACCEPTABLE: "The risk is low.",
  RISK_ELEVATED: "The risk is elevated.",
  RISK_HIGH_BLOCK_REVIEW: "The risk is high.",
  NORMAL_AMOUNT_FOR_MERCHANT: "The amount is usual for this merchant.",
  RETURNING_CUSTOMER: "The customer has bought here before.",
  PRIOR_SUCCESSFUL_PAYMENTS: "Earlier payments of this customer succeeded.",
  MERCHANT_SUPPLIED_ELEVATED_RISK: "The merchant supplied an elevated risk score.",
  SDK_FALLBACK_USED: "The client library decided by itself.",
  PAYINFERENCE_TIMEOUT: "The service did not answer the client library in time.",
  PAYINFERENCE_UNREACHABLE: "The client library could not reach the service.",
};

const OBJECTIVES = {
  approval: "the highest chance of approval",
  cost: "the lowest cost",
  balanced: "the best balance of approval and cost",
  margin: "the best margin",
} as const satisfies Record<OptimizationMode, string>;

/** Names the objective behind `OPTIMIZED_FOR_…`. */
export function objectiveText(mode: OptimizationMode): string {
  return OBJECTIVES[mode];
}

/** Codes that begin with the upper-case id of their provider. */
const PROVIDER_SENTENCES: Readonly<Record<string, string>> = {
  HEALTHY_FOR_SEGMENT: "is healthy for this payment method and currency.",
  TIMEOUT_RATE_ELEVATED: "times out more often than it should.",
  PINNED: "is pinned to its state by hand, for a drill or to take it out.",
  INCIDENT_REPORTED: "has reported an incident of its own.",
  ERROR_5XX_RATE_ELEVATED: "answers with server errors more often than it should.",
  THROTTLE_429_RATE_ELEVATED: "throttles more requests than it should.",
  APPROVAL_RATE_BELOW_BASELINE: "approves fewer payments than usual.",
  LATENCY_ELEVATED: "is slower than it should be.",
  WEBHOOK_LAG_ELEVATED: "sends its webhooks late.",
  HEALTH_UNKNOWN: "has too few samples for its health to be known.",
  RECOVERING: "is recovering: nothing is wrong now, and its state improves step by step.",
};
const PROVIDER_CODE = new RegExp(`^([A-Z][A-Z0-9_]*?)_(${Object.keys(PROVIDER_SENTENCES).join("|")})$`);

/** Returns the sentence for a code, or null for a code that only a policy's rule can set. */
export function reasonSentence(code: string): string | null {
  if (Object.hasOwn(SENTENCES, code)) return SENTENCES[code] ?? null;
  const objective = /^OPTIMIZED_FOR_([A-Z]+)$/.exec(code)?.[1]?.toLowerCase();
  if (objective !== undefined && Object.hasOwn(OBJECTIVES, objective)) {
    return `The policy optimizes for ${OBJECTIVES[objective as OptimizationMode]}.`;
  }
  const [, provider, suffix] = PROVIDER_CODE.exec(code) ?? [];
  if (provider === undefined || suffix === undefined) return null;
  return `${provider.toLowerCase()} ${PROVIDER_SENTENCES[suffix] ?? ""}`;
}
