import type { PolicyEvaluation } from "../policy/policy-evaluation.js";
import { type PricingView, type Quote, UNKNOWN_QUOTE, isRealPricing } from "../pricing/pricing-view.js";
import type { ProviderId, Transaction } from "../shared/decision-request.js";
import type { HealthState } from "../shared/vocabulary.js";
import { type Segment, type Segments, limitScore, roundTo2 } from "./segment.js";

/** contract §4 "Eligibility", in the order the reasons are looked at. */
export type ExclusionReason =
  | "POLICY_EXCLUDED_PROVIDER"
  | "CIRCUIT_OPEN"
  | "HEALTH_CRITICAL"
  | "HEALTH_BELOW_POLICY_MINIMUM"
  | "COST_ABOVE_POLICY_LIMIT";

/** One offered provider as one decision sees it. */
export interface ProviderEvaluation {
  readonly provider: ProviderId;
  readonly segment: Segment;
  /** null: eligible. */
  readonly exclusionReason: ExclusionReason | null;
  /** Points a non-strict preference adds. */
  readonly preferenceBoost: number;
  /** Two decimals. Not limited to 0..100, so that a boost or a penalty at the limit cannot make two providers tie. */
  readonly rankScore: number;
  /** `rankScore` within 0..100, as shown. */
  readonly routeScore: number;
  /** null on deterministic-v1. */
  readonly quote: Quote | null;
}

/** contract §4 "Eligibility". */
const RULED_OUT_BY_STATE = {
  healthy: null,
  watch: null,
  degraded: null,
  unknown: null,
  critical: "HEALTH_CRITICAL",
  unavailable: "CIRCUIT_OPEN",
} as const satisfies Record<HealthState, ExclusionReason | null>;

export interface EvaluationInput {
  readonly transaction: Transaction;
  readonly segments: Segments;
  readonly policy: Readonly<PolicyEvaluation>;
  readonly pricing: PricingView | null;
  /** True on deterministic-v2. */
  readonly costAware: boolean;
}

/** Only real pricing can be over a limit: an estimate is never treated as one (spec `cost`). */
function isOverCostLimit(quote: Quote, policy: Readonly<PolicyEvaluation>): boolean {
  const { maxEffectiveBps, maxCostMinor } = policy;
  return (
    ((maxEffectiveBps !== null && quote.effective_bps > maxEffectiveBps) ||
      (maxCostMinor !== null && quote.estimated_cost_minor > maxCostMinor)) &&
    isRealPricing(quote)
  );
}

function exclusionReason(
  provider: ProviderId,
  segment: Segment,
  policy: Readonly<PolicyEvaluation>,
  quote: Quote | null,
): ExclusionReason | null {
  if (policy.excludes(provider)) return "POLICY_EXCLUDED_PROVIDER";
  const byState = RULED_OUT_BY_STATE[segment.snapshot.state];
  if (byState !== null) return byState;
  if (segment.health < policy.minHealthOf(provider)) return "HEALTH_BELOW_POLICY_MINIMUM";
  if (quote !== null && isOverCostLimit(quote, policy)) return "COST_ABOVE_POLICY_LIMIT";
  return null;
}

function quoteOf(provider: ProviderId, { costAware, pricing, transaction }: EvaluationInput): Quote | null {
  return costAware ? (pricing?.quote(provider, transaction) ?? UNKNOWN_QUOTE) : null;
}

export function evaluateProvider(provider: ProviderId, input: EvaluationInput): ProviderEvaluation {
  const { policy } = input;
  const segment = input.segments.of(provider);
  const quote = quoteOf(provider, input);
  const { preference } = policy;
  const preferenceBoost =
    preference !== null && !preference.strict && preference.providers.includes(provider)
      ? preference.boost
      : 0;
  const rankScore = preferenceBoost === 0 ? segment.rankScore : roundTo2(segment.rankScore + preferenceBoost);
  return {
    provider,
    segment,
    exclusionReason: exclusionReason(provider, segment, policy, quote),
    preferenceBoost,
    rankScore,
    routeScore: limitScore(rankScore),
    quote,
  };
}
