import { ACTION_ROWS } from "../policy/action-rows.js";
import type { PolicyEvaluation, SchemeRetryRule } from "../policy/policy-evaluation.js";
import { judgeRetry, type RetryJudgement } from "../retries/judge-retry.js";
import { recoveryProbability, type RecoveryRow } from "../retries/recovery.js";
import type { AttemptLimit } from "../retries/retry-rule.js";
import { RETRY_RULES, RETRY_RULES_VERSION, retryRulesOf } from "../retries/retry-rules.js";
import type { DecisionRequest, ProviderId } from "../vocabulary/decision-request.js";
import { BPS } from "./economics.js";
import type { ProviderEvaluation } from "./evaluation.js";
import { RETRY_SCHEMES, type RetryScheme, type RetryVerdict } from "../vocabulary/vocabulary.js";

/** The earlier attempts at an order, as far as its decision knows them. */
export interface KnownAttempts {
  /** Unix milliseconds, the oldest first. */
  readonly timesMs: readonly number[];
  /** The version of the table of schemes' rules by which the attempt is judged. */
  readonly rulesVersion: number;
  /** RTRY-19: the results of the workspace's earlier retries. */
  readonly recoveries: readonly RecoveryRow[];
}

/** The value for an order without known attempts. */
export const NO_ATTEMPTS: KnownAttempts = {
  timesMs: [],
  rulesVersion: RETRY_RULES_VERSION,
  recoveries: [],
};

/** The question to a scheme's rules: the network and the code of the failed attempt. */
export interface AskedRetry {
  readonly scheme: RetryScheme;
  readonly code: string;
}

/** RTRY-12: null if the network or the code is missing, or if no rules are known for the network. */
export function askedRetry({ previous_attempt: previous, transaction }: DecisionRequest): AskedRetry | null {
  const code = previous?.provider_reason_code;
  const scheme = RETRY_SCHEMES.find((known) => known === transaction.card_network);
  return code === undefined || scheme === undefined ? null : { scheme, code };
}

const DAY_SECONDS = 86_400;

/** RTRY-11: `max_attempts_24h` as a limit in addition to the scheme's own. */
export function tighteningOf(maxAttempts24h: number | null): readonly AttemptLimit[] {
  return maxAttempts24h === null ? [] : [{ attempts: maxAttempts24h, windowSeconds: DAY_SECONDS }];
}

/** RTRY-19: the expected gain of a retry. */
export interface ExpectedGain {
  readonly provider: ProviderId;
  /** The probability that the retry is approved, 0..1. */
  readonly probability: number;
  /** Minor units. Negative if the retry costs more than it earns. */
  readonly expectedMinor: number;
}

/** The judgement of an attempt that a matched `retry_within_scheme_rules` asks for. */
export interface SchemeRetry {
  readonly judged: RetryJudgement;
  readonly rule: SchemeRetryRule;
  /** Null if the scheme allows no retry, if the rule asks for no gain, or if no provider is eligible. */
  readonly gain: ExpectedGain | null;
}

/** Whether the retry may be made, and if not, why. */
export function verdictOf({ judged, rule, gain }: SchemeRetry): RetryVerdict {
  const isLow = gain !== null && gain.expectedMinor < (rule.minExpectedGainMinor ?? -Infinity);
  return isLow ? "low_gain" : judged.verdict;
}

/** The inputs of the judgement of a retry. */
export interface RetrySituation {
  readonly request: DecisionRequest;
  readonly policy: Readonly<PolicyEvaluation>;
  readonly attempts: KnownAttempts;
  /** The provider that ranks first, or null. */
  readonly best: ProviderEvaluation | null;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** Null if no rule asks for a judgement, or if no scheme's rules apply to the attempt. */
export function judgeByScheme(situation: RetrySituation): SchemeRetry | null {
  const { request, policy, attempts, nowMs } = situation;
  const rule = policy.retryWithinSchemeRules;
  const retry = rule === null ? null : askedRetry(request);
  if (rule === null || retry === null) return null;
  const judged = judgeAttempts(retry, rule, attempts, nowMs);
  if (judged === null) return null;
  const asksGain = judged.verdict === "allowed" && rule.minExpectedGainMinor !== null;
  return { judged, rule, gain: asksGain ? expectedGain(situation, retry.code) : null };
}

/** The judgement by the scheme's rules and the policy's limit alone. Null if the scheme has no rules. */
export function judgeAttempts(
  retry: AskedRetry,
  { maxAttempts24h }: Pick<SchemeRetryRule, "maxAttempts24h">,
  { timesMs, rulesVersion }: Pick<KnownAttempts, "timesMs" | "rulesVersion">,
  nowMs: number,
): RetryJudgement | null {
  const rules = rulesVersion === RETRY_RULES_VERSION ? RETRY_RULES : retryRulesOf(rulesVersion);
  const tightening = tighteningOf(maxAttempts24h);
  return judgeRetry(rules, { ...retry, attempts: timesMs, nowMs, tightening });
}

/** The number of a retry, which is the number of known attempts before it. It is 1 if no attempt is known. */
export function retryNumber({ timesMs }: Pick<KnownAttempts, "timesMs">): number {
  return Math.max(1, timesMs.length);
}

const { default: MARGIN_BPS } = ACTION_ROWS.optimize_for.options.margin_bps;

/**
 * RTRY-19: probability × amount × margin, less the cost. While too few retries are known, the probability is that of a
 * first attempt. A scheme takes no fee for a retry within its limits. A provider without a price has no cost to
 * subtract.
 */
function expectedGain(
  { request, policy, attempts, best }: RetrySituation,
  code: string,
): ExpectedGain | null {
  if (best === null) return null;
  const { provider, segment, quote } = best;
  const kind = { code, attempt: retryNumber(attempts), provider };
  const probability = recoveryProbability(attempts.recoveries, kind, segment.approvalProbability);
  const { optimizeFor } = policy;
  const marginBps = optimizeFor?.mode === "margin" ? optimizeFor.marginBps : MARGIN_BPS;
  const earned = (probability * request.transaction.amount * marginBps) / BPS;
  return { provider, probability, expectedMinor: earned - (quote?.estimated_cost_minor ?? 0) };
}
