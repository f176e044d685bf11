import type { PolicyEvaluation } from "../policy/policy-evaluation.js";
import { type PricingView, type Quote, UNKNOWN_QUOTE, isRealPricing } from "../pricing/pricing-view.js";
import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import { roundTo2 } from "../vocabulary/rounding.js";
import { HEALTH_LIMITS } from "../health/limits.js";
import { pinnedCode } from "../health/reason-codes.js";
import type { HealthSnapshot, HealthView } from "../health/snapshot.js";
import { scoreTerms } from "./score-terms.js";
import type { HealthState } from "../vocabulary/vocabulary.js";

/** Everything a decision derives from one health snapshot alone, worked out once per snapshot. */
export interface Segment {
  readonly snapshot: HealthSnapshot;
  /** The code with which the state alone excludes the provider. Null if the state does not exclude it. */
  readonly ruledOutBy: "CIRCUIT_OPEN" | "HEALTH_CRITICAL" | null;
  /** The health that routing counts. It can differ from the shown score (ELIG-6, HLTH-28). */
  readonly health: number;
  /** In points, in the order of SEGMENT_TERMS. */
  readonly terms: readonly number[];
  /** COST-8: 0..1. */
  readonly approvalProbability: number;
  /** Score without preference, two decimals, not yet limited to 0..100. */
  readonly unlimitedScore: number;
  /** `<PROVIDER>_HEALTHY_FOR_SEGMENT`. Null if the state is not healthy, or if a person set it (CODE-4). */
  readonly healthyCode: string | null;
  /** The snapshot's codes that begin with its provider and warn, such as `PROVIDER_1_TIMEOUT_RATE_ELEVATED`. */
  readonly warningCodes: readonly string[];
}

/** ELIG-6: routing counts the health of an unknown provider as 70, whatever score is shown. */
const UNKNOWN_HEALTH = 70;

/** SCORE-4: limits a score to 0..100. */
export function limitScore(score: number): number {
  return Math.min(100, Math.max(0, score));
}

/** COST-8: the weight of the baseline approval rate, as a number of samples. */
const BASELINE_SAMPLES = 50;

/** COST-8: (approvals + 50 · baseline) / (samples + 50), 0..1. */
function approvalProbability(snapshot: HealthSnapshot): number {
  const { approval_rate, approval_rate_baseline, sample_size } = snapshot;
  return (
    (approval_rate * sample_size + BASELINE_SAMPLES * approval_rate_baseline) /
    (sample_size + BASELINE_SAMPLES)
  );
}

/** UNKNOWN_HEALTH fades out over this many outcomes beyond `classifySamplesMin`. Then only the measured health counts. */
const UNKNOWN_FADE_SAMPLES = 50;

/**
 * ELIG-6, HLTH-28: the health that routing counts. If only outcomes measure a segment, its health starts at
 * UNKNOWN_HEALTH. Otherwise its first outcome would move its route score by more than later outcomes do.
 */
function routedHealth({ state, score, source, sample_size }: HealthSnapshot): number {
  if (state === "unknown") return UNKNOWN_HEALTH;
  if (source !== "live") return score;
  const passed = (sample_size - HEALTH_LIMITS.classifySamplesMin) / UNKNOWN_FADE_SAMPLES;
  return UNKNOWN_HEALTH + (score - UNKNOWN_HEALTH) * Math.min(1, Math.max(0, passed));
}

/** ELIG-1. */
const RULED_OUT_BY_STATE = {
  healthy: null,
  watch: null,
  degraded: null,
  unknown: null,
  critical: "HEALTH_CRITICAL",
  unavailable: "CIRCUIT_OPEN",
} as const satisfies Record<HealthState, Segment["ruledOutBy"]>;

const HEALTHY_CODE = "HEALTHY_FOR_SEGMENT";

function deriveSegment(snapshot: HealthSnapshot): Segment {
  const { provider, state } = snapshot;
  const health = routedHealth(snapshot);
  const { terms, sum } = scoreTerms(snapshot, health);
  const prefix = `${provider.toUpperCase()}_`;
  const isPinned = snapshot.reason_codes.includes(pinnedCode(provider.toUpperCase()));
  return {
    snapshot,
    ruledOutBy: RULED_OUT_BY_STATE[state],
    health,
    terms,
    approvalProbability: approvalProbability(snapshot),
    unlimitedScore: roundTo2(sum),
    healthyCode: state === "healthy" && !isPinned ? prefix + HEALTHY_CODE : null,
    // CIRCUIT_OPEN and HEALTH_CRITICAL have no prefix. The evaluation lists them as reasons of an exclusion.
    warningCodes: snapshot.reason_codes.filter(
      (code) => code.startsWith(prefix) && !code.endsWith(HEALTHY_CODE),
    ),
  };
}

/** Keyed by the snapshot object. Views share the object of a snapshot that is the same in all of them. */
const DERIVED = new WeakMap<HealthSnapshot, Segment>();

function segmentOf(snapshot: HealthSnapshot): Segment {
  let segment = DERIVED.get(snapshot);
  if (segment === undefined) {
    segment = deriveSegment(snapshot);
    DERIVED.set(snapshot, segment);
  }
  return segment;
}

/**
 * A view's segments for one payment method and currency. They are cached, because a decision asks for several
 * providers.
 */
class Segments {
  private readonly byProvider = new Map<ProviderId, Segment>();

  constructor(
    private readonly view: HealthView,
    private readonly paymentMethod: string,
    private readonly currency: string,
  ) {}

  /** Returns the same object for every call, as long as the view exists. */
  of(provider: ProviderId): Segment {
    let segment = this.byProvider.get(provider);
    if (segment === undefined) {
      segment = segmentOf(this.view.find(provider, this.paymentMethod, this.currency));
      this.byProvider.set(provider, segment);
    }
    return segment;
  }
}

/** Keyed by view, then by currency, then by payment method. */
const BY_VIEW = new WeakMap<HealthView, Map<string, Map<string, Segments>>>();

/** Caches the result as long as the view exists. */
export function segmentsOf(view: HealthView, paymentMethod: string, currency: string): Segments {
  let byCurrency = BY_VIEW.get(view);
  if (byCurrency === undefined) BY_VIEW.set(view, (byCurrency = new Map()));
  let byMethod = byCurrency.get(currency);
  if (byMethod === undefined) byCurrency.set(currency, (byMethod = new Map()));
  let segments = byMethod.get(paymentMethod);
  if (segments === undefined) {
    segments = new Segments(view, paymentMethod, currency);
    byMethod.set(paymentMethod, segments);
  }
  return segments;
}

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
