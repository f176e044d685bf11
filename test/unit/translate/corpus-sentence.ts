import type { Conditions, RuleAction } from "../../../src/policy/policy.js";

/** A sentence of the corpus and the whole of what it must become: one rule, a default provider, or a warning. */
export interface Sentence {
  readonly text: string;
  readonly rule?: { readonly when: Conditions; readonly then: RuleAction };
  readonly defaultProvider?: string;
  /** The warning's code; then no rule and no default provider come out. */
  readonly warning?: string;
}

export const rule = (text: string, when: Conditions, then: RuleAction): Sentence => ({
  text,
  rule: { when, then },
});
export const defaultProvider = (text: string, provider: string): Sentence => ({
  text,
  defaultProvider: provider,
});
export const warned = (text: string, warning: string): Sentence => ({ text, warning });

export const block: RuleAction = { type: "block" };
export const hold: RuleAction = { type: "hold" };
export const stepUp: RuleAction = { type: "step_up" };
export const prefer = (...providers: string[]): RuleAction => ({
  type: "prefer_provider",
  providers,
  strict: true,
  boost: 15,
});
export const boosted = (boost: number, ...providers: string[]): RuleAction => ({
  type: "prefer_provider",
  providers,
  strict: false,
  boost,
});
export const exclude = (...providers: string[]): RuleAction => ({ type: "exclude_provider", providers });
export const restrict = (...providers: string[]): RuleAction => ({ type: "restrict_providers", providers });
export const minHealth = (min_score: number, provider: string): RuleAction => ({
  type: "require_min_health",
  min_score,
  providers: [provider],
});
export const noRetry = (...reason_codes: string[]): RuleAction => ({ type: "no_retry", reason_codes });
export const retry = (same_provider: boolean): RuleAction => ({ type: "retry_on_timeout", same_provider });
export const split = (weights: Record<string, number>): RuleAction => ({ type: "split_traffic", weights });
