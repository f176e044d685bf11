import { type RecordedPricing, recordPricing } from "../pricing/recorded-quotes.js";
import type { RecoveryRow } from "../retries/recovery.js";
import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import type { DecisionMode } from "../vocabulary/vocabulary.js";
import type { DecisionContext } from "./decision.js";
import type { ProviderEvaluation } from "./evaluation.js";
import type { KnownAttempts, SchemeRetry } from "./scheme-retry.js";

/**
 * The inputs of a decision besides its request, as its document stores them. Together with the policy that the response
 * names, they suffice to make the decision again. Decisions share health records, so the document has only a hash of
 * the record.
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
  /** RTRY-13: absent if the attempts were not looked up. */
  retry?: SeenRetry;
}

/** The inputs of the schemes' rules. */
export interface SeenRetry {
  counted_by: "order";
  rules_version: number;
  /** Unix milliseconds of the earlier attempts, the oldest first. */
  attempts: readonly number[];
  /** The matched `retry_within_scheme_rules`. Null if no rule of that type matched. */
  matched: { max_attempts_24h: number | null; min_expected_gain_minor: number | null } | null;
  /** RTRY-19: absent if no gain was asked for. */
  gain?: SeenGain;
}

/** The expected gain of a retry, and the figures it was computed from. */
export interface SeenGain {
  provider: ProviderId;
  /** 0..1 */
  probability: number;
  /** Minor units. */
  expected_minor: number;
  /** The results of the workspace's retries after the same failure code. */
  recoveries: readonly RecoveryRow[];
}

/** What a decision looked up about retries. `schemeRetry` is the judgement that the decision used. */
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

/** The recorded attempts, from which a replay decides again. */
export function attemptsOf({ retry }: Seen): KnownAttempts | undefined {
  return (
    retry && {
      timesMs: retry.attempts,
      rulesVersion: retry.rules_version,
      recoveries: retry.gain?.recoveries ?? [],
    }
  );
}

/** The inputs that `context` gave a decision on `transaction`. `providers` lists all providers of the deployment. */
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
