import type { ProviderId } from "../shared/decision-request.js";
import { CONDITION_GROUPS } from "../shared/condition-vocabulary.js";
import { inEvaluationOrder } from "./normal-form.js";
import type { Conditions, Policy, Rule, RuleAction } from "./policy.js";

/**
 * One enabled rule as decisions need it. The rule id stands only where `sample_bps_lt` draws from it: merchants with the
 * same template share one content, although the server gave each of them rule ids of its own.
 */
export type ContentRule =
  | readonly [name: string, when: Conditions, then: RuleAction]
  | readonly [name: string, when: Conditions, then: RuleAction, ruleId: string];

/** The default provider, then the enabled rules in evaluation order. */
type Content = readonly [defaultProvider: ProviderId | null, ...rules: ContentRule[]];

/** What decisions need of a policy, and what only people ask for. */
export interface PolicyContent {
  /** Equal for policies that decide alike by the same words; what stands for it elsewhere is a hash of it. */
  text: string;
  /** Of the enabled rules in evaluation order. */
  ruleIds: string[];
}

/** contract §5: disabled rules do not exist. */
export function evaluationOrder(rules: readonly Rule[]): Rule[] {
  return inEvaluationOrder(rules).filter(({ enabled }) => enabled);
}

/** Of a stored policy in normal form. */
export function policyContent(policy: Policy): PolicyContent {
  const rules = evaluationOrder(policy.rules);
  const content: Content = [policy.default_provider, ...rules.map(toContentRule)];
  return { text: JSON.stringify(content), ruleIds: rules.map(({ rule_id }) => rule_id) };
}

/** Of a text that `policyContent` made. */
export function parseContent(text: string): { defaultProvider: ProviderId | null; rules: ContentRule[] } {
  const [defaultProvider, ...rules] = JSON.parse(text) as Content;
  return { defaultProvider, rules };
}

/** The keys of `when` keep their order, which explanations show. That of an action's keys means nothing. */
function toContentRule({ name, when, then, rule_id }: Rule): ContentRule {
  const action = sorted(then);
  return draws(when) ? [name, when, action, rule_id] : [name, when, action];
}

/** Whether which orders a rule matches depends on its id. */
function draws(when: Conditions): boolean {
  return (
    when.sample_bps_lt !== undefined || CONDITION_GROUPS.some((group) => (when[group] ?? []).some(draws))
  );
}

/** The same value with the keys of its objects in one order. */
function sorted<T>(value: T): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]): [string, unknown] => [key, sorted(member)])) as T;
}
