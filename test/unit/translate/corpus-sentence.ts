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
