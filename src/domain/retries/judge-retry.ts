import type { CardNetwork, RetryVerdict } from "../vocabulary/vocabulary.js";
import type { AttemptLimit, RetryRule } from "./retry-rule.js";

export interface RetryCase {
  readonly scheme: CardNetwork;
  /** The code, as the provider passed it on. */
  readonly code: string;
  /** Unix milliseconds of the earlier attempts, in any order. */
  readonly attempts: readonly number[];
  readonly nowMs: number;
  /** Limits that apply in addition to the rule's own. They can tighten a rule, but never loosen it. */
  readonly tightening: readonly AttemptLimit[];
}

/** A verdict about an attempt, with the rule that gives it. */
export type RetryJudgement =
  | { readonly verdict: Extract<RetryVerdict, "allowed" | "forbidden">; readonly rule: RetryRule }
  /** `limit` is the first limit that is used up. */
  | { readonly verdict: "exhausted"; readonly rule: RetryRule; readonly limit: AttemptLimit }
  /** `notBeforeMs`, in Unix milliseconds, is when the wait ends. */
  | { readonly verdict: "too_early"; readonly rule: RetryRule; readonly notBeforeMs: number };

/**
 * RTRY-2: the rule for exactly this code, or else the scheme's rule for any other code. Null for a scheme without
 * rules.
 */
export function findRetryRule(
  rules: readonly RetryRule[],
  scheme: CardNetwork,
  code: string,
): RetryRule | null {
  let ofScheme: RetryRule | null = null;
  for (const rule of rules) {
    if (rule.scheme !== scheme) continue;
    if (rule.code === code) return rule;
    if (rule.code === null) ofScheme = rule;
  }
  return ofScheme;
}

/** RTRY-7: an attempt leaves a window as soon as it is as old as the window is long. */
export function attemptsWithin(attempts: readonly number[], windowSeconds: number, nowMs: number): number {
  return attempts.filter((attemptMs) => nowMs - attemptMs < windowSeconds * 1000).length;
}

/**
 * Judges whether the scheme allows another attempt now. A used-up limit comes before a wait, because the attempt would
 * still be forbidden after the wait. Null for a scheme without rules.
 */
export function judgeRetry(rules: readonly RetryRule[], retryCase: RetryCase): RetryJudgement | null {
  const { scheme, code, attempts, nowMs, tightening } = retryCase;
  const rule = findRetryRule(rules, scheme, code);
  if (rule === null) return null;
  if (rule.category === "never") return { verdict: "forbidden", rule };
  for (const limit of [...rule.limits, ...tightening]) {
    if (attemptsWithin(attempts, limit.windowSeconds, nowMs) >= limit.attempts) {
      return { verdict: "exhausted", rule, limit };
    }
  }
  if (rule.waitSeconds > 0 && attempts.length > 0) {
    // RTRY-8: the wait starts at the newest attempt. Without a known attempt there is nothing to wait for.
    const notBeforeMs = Math.max(...attempts) + rule.waitSeconds * 1000;
    if (nowMs < notBeforeMs) return { verdict: "too_early", rule, notBeforeMs };
  }
  return { verdict: "allowed", rule };
}
