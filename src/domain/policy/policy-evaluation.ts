import type { ProviderId } from "../vocabulary/decision-request.js";
import type { OptimizationMode } from "../vocabulary/vocabulary.js";

/** The first matched `prefer_provider`. */
export interface Preference {
  /** The providers in order of preference. */
  readonly providers: readonly ProviderId[];
  readonly strict: boolean;
  /** Score points, 0..100. Unused if the preference is strict. */
  readonly boost: number;
}

export interface HealthMinimum {
  /** 0..100 */
  readonly minScore: number;
  /** Null applies the minimum to every provider. */
  readonly providers: readonly ProviderId[] | null;
}

/** RTRY-11: a matched `retry_within_scheme_rules`. */
export interface SchemeRetryRule {
  readonly maxAttempts24h: number | null;
  /** RTRY-19: minor units of the transaction's currency. */
  readonly minExpectedGainMinor: number | null;
}

/** The first matched `optimize_for`, with its defaults filled in. */
export interface Optimization {
  readonly mode: OptimizationMode;
  readonly marginBps: number;
  readonly maxApprovalDropBps: number;
}

/** Maps an order id to the provider that the order's bucket belongs to. */
export type TrafficSplit = (orderId: string) => ProviderId;

/** A matched rule. Each rule has one such object, so callers can compare it by identity. */
export interface MatchedRule {
  readonly name: string;
}

export function namesOf(rules: readonly MatchedRule[]): string[] {
  return rules.map(({ name }) => name);
}

/**
 * The merged options of a policy's matched rules. RULE-12: where several rules set an option with a single value, the
 * first rule wins. Exclusions add up, restrictions intersect, and the highest minimum counts. COST-17: the strictest
 * cost limit applies.
 */
export class PolicyEvaluation {
  /** In evaluation order: ascending priority number, then the order of the rules. */
  matchedRules: MatchedRule[] = [];
  block = false;
  hold = false;
  stepUp = false;
  blockReasonCode: string | null = null;
  holdReasonCode: string | null = null;
  stepUpReasonCode: string | null = null;
  excluded: readonly ProviderId[] = [];
  /** The only providers that the rules allow. Null if no rule restricts them. */
  restrictedTo: readonly ProviderId[] | null = null;
  minimums: readonly HealthMinimum[] = [];
  retryOnTimeout: { readonly sameProvider: boolean } | null = null;
  /** RTRY-11: the first matched `retry_within_scheme_rules`. */
  retryWithinSchemeRules: SchemeRetryRule | null = null;
  /** Provider reason codes after which a retry is suppressed. */
  noRetryReasonCodes: readonly string[] = [];
  maxEffectiveBps: number | null = null;
  maxCostMinor: number | null = null;
  optimizeFor: Optimization | null = null;
  trafficSplit: TrafficSplit | null = null;
  preference: Preference | null = null;

  /** True if a matched `max_cost` limits what a provider may cost. */
  get limitsCost(): boolean {
    return this.maxEffectiveBps !== null || this.maxCostMinor !== null;
  }

  /** True when exclude_provider or restrict_providers rules `provider` out. */
  excludes(provider: ProviderId): boolean {
    return (
      this.excluded.includes(provider) ||
      (this.restrictedTo !== null && !this.restrictedTo.includes(provider))
    );
  }

  /** The highest matched minimum that covers `provider`. 0 if none does. */
  minHealthOf(provider: ProviderId): number {
    let highest = 0;
    for (const { minScore, providers } of this.minimums) {
      if (minScore > highest && (providers === null || providers.includes(provider))) highest = minScore;
    }
    return highest;
  }
}

/**
 * The evaluation of a request that matches no rule. All such requests share this object, because most requests match no
 * rule of most policies.
 */
export const NOTHING_MATCHED: Readonly<PolicyEvaluation> = new PolicyEvaluation();
