import type { ProviderId } from "../vocabulary/decision-request.js";
import type { OptimizationMode } from "../vocabulary/vocabulary.js";
import { unreachable } from "../vocabulary/unreachable.js";
import { ACTION_ROWS, WHOLE_AMOUNT_BPS } from "./action-rows.js";
import type { RuleAction } from "./policy.js";
import { stableHash } from "./stable-hash.js";

/** The first matched `prefer_provider`. */
interface Preference {
  /** The providers in order of preference. */
  readonly providers: readonly ProviderId[];
  readonly strict: boolean;
  /** Score points, 0..100. Unused if the preference is strict. */
  readonly boost: number;
}

interface HealthMinimum {
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
type TrafficSplit = (orderId: string) => ProviderId;

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

/**
 * Applies one matched rule's action to the evaluation. Effects run in rule order, so where the first rule wins, an
 * effect sets a value only if it is unset.
 */
export type Effect = (evaluation: PolicyEvaluation) => void;

const { margin_bps: MARGIN, max_approval_drop_bps: MAX_APPROVAL_DROP } = ACTION_ROWS.optimize_for.options;

export function compileAction(action: RuleAction): Effect {
  switch (action.type) {
    case "block":
      return (evaluation) => {
        evaluation.block = true;
        evaluation.blockReasonCode ??= action.reason_code ?? null;
      };
    case "hold":
      return (evaluation) => {
        evaluation.hold = true;
        evaluation.holdReasonCode ??= action.reason_code ?? null;
      };
    case "step_up":
      return (evaluation) => {
        evaluation.stepUp = true;
        evaluation.stepUpReasonCode ??= action.reason_code ?? null;
      };
    case "prefer_provider": {
      const preference: Preference = {
        providers: action.providers,
        strict: action.strict,
        boost: action.boost,
      };
      return (evaluation) => {
        evaluation.preference ??= preference;
      };
    }
    case "exclude_provider":
      return (evaluation) => {
        evaluation.excluded = union(evaluation.excluded, action.providers);
      };
    case "restrict_providers":
      return (evaluation) => {
        evaluation.restrictedTo = intersection(evaluation.restrictedTo, action.providers);
      };
    case "require_min_health": {
      const minimum: HealthMinimum[] = [{ minScore: action.min_score, providers: action.providers ?? null }];
      return (evaluation) => {
        evaluation.minimums = union(evaluation.minimums, minimum);
      };
    }
    case "retry_on_timeout": {
      const retry = { sameProvider: action.same_provider };
      return (evaluation) => {
        evaluation.retryOnTimeout ??= retry;
      };
    }
    case "retry_within_scheme_rules":
      return retryWithinSchemeRules(action);
    case "no_retry":
      return (evaluation) => {
        evaluation.noRetryReasonCodes = union(evaluation.noRetryReasonCodes, action.reason_codes);
      };
    case "max_cost": {
      const { max_effective_bps: maxEffectiveBps, max_cost_minor: maxCostMinor } = action;
      return (evaluation) => {
        evaluation.maxEffectiveBps = strictest(evaluation.maxEffectiveBps, maxEffectiveBps);
        evaluation.maxCostMinor = strictest(evaluation.maxCostMinor, maxCostMinor);
      };
    }
    case "optimize_for": {
      const optimization: Optimization = {
        mode: action.mode,
        marginBps: action.mode === "margin" ? (action.margin_bps ?? MARGIN.default) : WHOLE_AMOUNT_BPS,
        maxApprovalDropBps: action.max_approval_drop_bps ?? MAX_APPROVAL_DROP.default,
      };
      return (evaluation) => {
        evaluation.optimizeFor ??= optimization;
      };
    }
    case "split_traffic": {
      const split = compileSplit(action.weights);
      return (evaluation) => {
        evaluation.trafficSplit ??= split;
      };
    }
    default:
      return unreachable(action);
  }
}

function retryWithinSchemeRules(action: Extract<RuleAction, { type: "retry_within_scheme_rules" }>): Effect {
  const { max_attempts_24h: maxAttempts24h = null, min_expected_gain_minor: minExpectedGainMinor = null } =
    action;
  const retry: SchemeRetryRule = { maxAttempts24h, minExpectedGainMinor };
  return (evaluation) => {
    evaluation.retryWithinSchemeRules ??= retry;
  };
}

/** COST-17: returns the stricter limit, because every matched `max_cost` applies. */
function strictest(limit: number | null, another: number | undefined): number | null {
  if (another === undefined) return limit;
  return limit === null ? another : Math.min(limit, another);
}

/** While only one rule of a kind has matched, which is the usual case, its own list is returned without a copy. */
function union<Item>(gathered: readonly Item[], more: readonly Item[]): readonly Item[] {
  return gathered.length === 0 ? more : [...gathered, ...more];
}

function intersection(
  gathered: readonly ProviderId[] | null,
  more: readonly ProviderId[],
): readonly ProviderId[] {
  return gathered === null ? more : gathered.filter((provider) => more.includes(provider));
}

/**
 * RULE-9, `split_traffic`: the order's bucket is its stable hash modulo the sum of the percentages, which is 100. The
 * percentages are added up in the order of the provider ids, because PostgreSQL can return a stored object with its
 * keys in another order.
 */
function compileSplit(weights: Record<ProviderId, number>): TrafficSplit {
  const shares = Object.entries(weights)
    .filter(([, percent]) => percent > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const total = shares.reduce((sum, [, percent]) => sum + percent, 0);
  const last = shares.at(-1);
  if (last === undefined) throw new RangeError("split_traffic needs a weight above 0");
  return (orderId) => {
    let bucket = stableHash(orderId) % total;
    for (const [provider, percent] of shares) {
      if (bucket < percent) return provider;
      bucket -= percent;
    }
    return last[0];
  };
}
