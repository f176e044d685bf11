import { type RecordedPricing, recordPricing } from "../pricing/recorded-quotes.js";
import type { RecoveryRow } from "../retries/recovery.js";
import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import type { DecisionMode } from "../vocabulary/vocabulary.js";
import type { DecisionContext } from "./decision.js";
import type { ProviderEvaluation } from "./evaluation.js";
import type { KnownAttempts, SchemeRetry } from "./scheme-retry.js";

/**
 * What a decision saw besides its request, as its document keeps it. With the policy that the response names it is
 * enough to make the decision again; health is shared between decisions and named by its hash.
 */
export interface Seen {
  /** 0..100 */
  risk_block_threshold: number;
  /** Minor units. */
  normal_amount_max_minor: number | null;
  default_decision_mode: DecisionMode;
  pricing: RecordedPricing;
  /** Content hash of the health group (domain/health/recorded-group.ts), base64url. */
  health: string;
  /** RTRY-13: absent where the attempts were not looked up. */
  retry?: SeenRetry;
}

/** What the schemes' rules were asked with. */
export interface SeenRetry {
  counted_by: "order";
  rules_version: number;
  /** Unix milliseconds of the earlier attempts, the oldest first. */
  attempts: readonly number[];
  /** The matched `retry_within_scheme_rules`. Null where no rule of that type matched. */
  matched: { max_attempts_24h: number | null; min_expected_gain_minor: number | null } | null;
  /** RTRY-19: absent where no gain was asked for. */
  gain?: SeenGain;
}

/** What a retry was expected to earn, and what that was learnt from. */
export interface SeenGain {
  provider: ProviderId;
  /** 0..1 */
  probability: number;
  /** Minor units. */
  expected_minor: number;
  /** The workspace's retries after the same code. */
  recoveries: readonly RecoveryRow[];
}

/** What was looked up for a decision. `schemeRetry` is the decision's. */
export function seenRetry(
  { timesMs, rulesVersion, recoveries }: KnownAttempts,
  schemeRetry: SchemeRetry | null,
  code: string,
): SeenRetry {
  const seen: SeenRetry = {
    counted_by: "order",
    rules_version: rulesVersion,
    attempts: timesMs,
    matched: schemeRetry && {
      max_attempts_24h: schemeRetry.rule.maxAttempts24h,
      min_expected_gain_minor: schemeRetry.rule.minExpectedGainMinor,
    },
  };
  const gain = schemeRetry?.gain ?? null;
  if (gain !== null) {
    const { provider, probability, expectedMinor } = gain;
    const ofCode = recoveries.filter(([rowCode]) => rowCode === code);
    seen.gain = { provider, probability, expected_minor: expectedMinor, recoveries: ofCode };
  }
  return seen;
}

/** The attempts that a decision saw, to make it again. */
export function attemptsOf({ retry }: Seen): KnownAttempts | undefined {
  return (
    retry && {
      timesMs: retry.attempts,
      rulesVersion: retry.rules_version,
      recoveries: retry.gain?.recoveries ?? [],
    }
  );
}

/** What `context` gave a decision on `transaction`. `providers` are all of the deployment's. */
export function seenBy(
  context: DecisionContext,
  transaction: Transaction,
  evaluations: readonly ProviderEvaluation[],
  providers: readonly ProviderId[],
  health: string,
  retry: SeenRetry | null = null,
): Seen {
  const seen: Seen = {
    risk_block_threshold: context.riskBlockThreshold,
    normal_amount_max_minor: context.normalAmountMaxMinor,
    default_decision_mode: context.defaultDecisionMode,
    pricing: recordPricing(context.pricing, providers, transaction, evaluations),
    health,
  };
  if (retry !== null) seen.retry = retry;
  return seen;
}
