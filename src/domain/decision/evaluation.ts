import type { PolicyEvaluation } from "../policy/policy-evaluation.js";
import { type PricingView, type Quote, UNKNOWN_QUOTE, isRealPricing } from "../pricing/pricing-view.js";
import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import { roundTo2 } from "../vocabulary/rounding.js";
import { type Segment, limitScore } from "./segment.js";

/** ELIG-1 to ELIG-5, in the order in which the reasons are checked. */
export type ExclusionReason =
  | "POLICY_EXCLUDED_PROVIDER"
  | "CIRCUIT_OPEN"
  | "HEALTH_CRITICAL"
  | "HEALTH_BELOW_POLICY_MINIMUM"
  | "COST_ABOVE_POLICY_LIMIT";

export interface EvaluationInput {
  readonly transaction: Transaction;
  readonly policy: Readonly<PolicyEvaluation>;
  readonly pricing: PricingView | null;
  /** True for deterministic-v2. */
  readonly costAware: boolean;
}

function preferenceBoost(provider: ProviderId, { preference }: Readonly<PolicyEvaluation>): number {
  return preference !== null && !preference.strict && preference.providers.includes(provider)
    ? preference.boost
    : 0;
}

/** One offered provider, evaluated for one decision. */
export class ProviderEvaluation {
  /** Null means eligible. */
  readonly exclusionReason: ExclusionReason | null;
  /** The points that a non-strict preference adds. */
  readonly preferenceBoost: number;
  /** 0..100, two decimals. Providers are ranked by this rounded score, so two at 100 tie. */
  readonly routeScore: number;
  private cachedQuote: Quote | undefined = undefined;

  constructor(
    readonly provider: ProviderId,
    readonly segment: Segment,
    private readonly input: EvaluationInput,
  ) {
    this.preferenceBoost = preferenceBoost(provider, input.policy);
    const { unlimitedScore } = segment;
    this.routeScore = limitScore(
      this.preferenceBoost === 0 ? unlimitedScore : roundTo2(unlimitedScore + this.preferenceBoost),
    );
    this.exclusionReason = this.reasonToExclude();
  }

  /**
   * Null on deterministic-v1. The getter computes the quote on first use, because most decisions need few providers'
   * quotes.
   */
  get quote(): Quote | null {
    const { costAware, pricing, transaction } = this.input;
    if (!costAware) return null;
    return (this.cachedQuote ??= pricing?.quote(this.provider, transaction) ?? UNKNOWN_QUOTE);
  }

  /**
   * COST-18: true if a matched `max_cost` was compared with a real price. An estimate is not a real price. Null if no
   * `max_cost` matched.
   */
  get costLimitChecked(): boolean | null {
    if (!this.input.policy.limitsCost) return null;
    const { quote } = this;
    return quote !== null && isRealPricing(quote);
  }

  private reasonToExclude(): ExclusionReason | null {
    const { policy } = this.input;
    if (policy.excludes(this.provider)) return "POLICY_EXCLUDED_PROVIDER";
    const { ruledOutBy } = this.segment;
    if (ruledOutBy !== null) return ruledOutBy;
    if (this.segment.health < policy.minHealthOf(this.provider)) return "HEALTH_BELOW_POLICY_MINIMUM";
    return this.isOverCostLimit(policy) ? "COST_ABOVE_POLICY_LIMIT" : null;
  }

  /** COST-3: only a real price can exceed a limit, because an estimate is not a price. */
  private isOverCostLimit({
    limitsCost,
    maxEffectiveBps,
    maxCostMinor,
  }: Readonly<PolicyEvaluation>): boolean {
    if (!limitsCost) return false;
    const { quote } = this;
    if (quote === null || !isRealPricing(quote)) return false;
    return (
      (maxEffectiveBps !== null && quote.effective_bps > maxEffectiveBps) ||
      (maxCostMinor !== null && quote.estimated_cost_minor > maxCostMinor)
    );
  }
}
