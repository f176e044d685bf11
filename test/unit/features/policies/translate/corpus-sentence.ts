import type { OptimizationMode } from "../../../../../src/domain/vocabulary/vocabulary.js";
import type { Conditions, RuleAction } from "../../../../../src/domain/policy/policy.js";

/** A text of the corpus and its complete result: rules, a default provider, or a warning. */
export interface Sentence {
  readonly text: string;
  readonly rules: readonly { readonly when: Conditions; readonly then: RuleAction }[];
  readonly defaultProvider?: string;
  /** The warning's code. A text with a warning has neither rules nor a default provider. */
  readonly warning?: string;
}

type WhenThen = readonly [when: Conditions, then: RuleAction];

export const rule = (text: string, when: Conditions, then: RuleAction): Sentence => rules(text, [when, then]);
export const rules = (text: string, ...all: readonly WhenThen[]): Sentence => ({
  text,
  rules: all.map(([when, then]) => ({ when, then })),
});
export const rulesAndDefault = (
  text: string,
  defaultProvider: string,
  ...all: readonly WhenThen[]
): Sentence => ({ ...rules(text, ...all), defaultProvider });
export const defaultProvider = (text: string, provider: string): Sentence => ({
  text,
  rules: [],
  defaultProvider: provider,
});
export const warned = (text: string, warning: string): Sentence => ({ text, rules: [], warning });

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
export const minHealth = (min_score: number, ...providers: string[]): RuleAction => ({
  type: "require_min_health",
  min_score,
  ...(providers.length > 0 && { providers }),
});
export const noRetry = (...reason_codes: string[]): RuleAction => ({ type: "no_retry", reason_codes });
export const retry = (same_provider: boolean): RuleAction => ({ type: "retry_on_timeout", same_provider });
export const withinSchemeRules: RuleAction = { type: "retry_within_scheme_rules" };
export const split = (weights: Record<string, number>): RuleAction => ({ type: "split_traffic", weights });
export const maxCost = (limit: { max_cost_minor: number } | { max_effective_bps: number }): RuleAction => ({
  type: "max_cost",
  ...limit,
});
export const optimize = (mode: OptimizationMode): RuleAction => ({ type: "optimize_for", mode });
