import type { PolicyEvaluation } from "../policy/policy-evaluation.js";
import { judgeRetry, type RetryJudgement } from "../retries/judge-retry.js";
import type { AttemptLimit } from "../retries/retry-rule.js";
import { RETRY_RULES, RETRY_RULES_VERSION, retryRulesOf } from "../retries/retry-rules.js";
import type { DecisionRequest } from "../vocabulary/decision-request.js";
import { RETRY_SCHEMES, type RetryScheme } from "../vocabulary/vocabulary.js";

/** What a decision knows of the earlier attempts of its order. */
export interface KnownAttempts {
  /** Unix milliseconds, the oldest first. */
  readonly timesMs: readonly number[];
  /** The version of the schemes' table that judges. */
  readonly rulesVersion: number;
}

/** The attempts of an order without any. */
export const NO_ATTEMPTS: KnownAttempts = { timesMs: [], rulesVersion: RETRY_RULES_VERSION };

/** What a scheme's rules are asked about: the network and the code of the failed attempt. */
export interface AskedRetry {
  readonly scheme: RetryScheme;
  readonly code: string;
}

/** RTRY-12: null where the network or the code is missing, or where no rules are known for the network. */
export function askedRetry({ previous_attempt: previous, transaction }: DecisionRequest): AskedRetry | null {
  const code = previous?.provider_reason_code;
  const scheme = RETRY_SCHEMES.find((known) => known === transaction.card_network);
  return code === undefined || scheme === undefined ? null : { scheme, code };
}

const DAY_SECONDS = 86_400;

/** RTRY-11: `max_attempts_24h` as a limit beside the scheme's own. */
export function tighteningOf(maxAttempts24h: number | null): readonly AttemptLimit[] {
  return maxAttempts24h === null ? [] : [{ attempts: maxAttempts24h, windowSeconds: DAY_SECONDS }];
}

/** What a scheme says of an attempt that a matched `retry_within_scheme_rules` asks about. */
export interface SchemeRetry {
  readonly judged: RetryJudgement;
  /** The rule's own limit. */
  readonly maxAttempts24h: number | null;
}

/** A matched `retry_within_scheme_rules`. */
type RetryRuleAsked = NonNullable<PolicyEvaluation["retryWithinSchemeRules"]>;

/** Null where there is nothing to judge. */
export function judgeByScheme(
  request: DecisionRequest,
  { maxAttempts24h }: RetryRuleAsked,
  { timesMs, rulesVersion }: KnownAttempts,
  nowMs: number,
): SchemeRetry | null {
  const retry = askedRetry(request);
  if (retry === null) return null;
  const rules = rulesVersion === RETRY_RULES_VERSION ? RETRY_RULES : retryRulesOf(rulesVersion);
  const tightening = tighteningOf(maxAttempts24h);
  const judged = judgeRetry(rules, { ...retry, attempts: timesMs, nowMs, tightening });
  return judged === null ? null : { judged, maxAttempts24h };
}
