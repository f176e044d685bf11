import { actionRow } from "./action-rows.js";
import type { ProviderId } from "../vocabulary/decision-request.js";
import { CONDITION_GROUPS } from "./condition-vocabulary.js";
import { inEvaluationOrder } from "./normal-form.js";
import type { Conditions, Policy, Rule, RuleAction } from "./policy.js";

/**
 * One enabled rule as decisions need it, in the form that is parsed soonest. The action stays text, for most rules match
 * no request of a batch. The keys of `when` follow in the order written, each before its value. The rule id stands only
 * where `sample_bps_lt` draws from it, else "": merchants with the same template share one content, although the server
 * gave each of them rule ids of its own.
 */
export type ContentRule = readonly [name: string, then: string, ruleId: string, ...when: unknown[]];

/** What decisions need of a policy. */
export type Content = readonly [
  defaultProvider: ProviderId | null,
  /** See CompiledPolicy. */
  declaresCostControls: boolean,
  /** Enabled ones in evaluation order. */
  rules: readonly ContentRule[],
];

export interface PolicyContent {
  /** Equal for policies that decide alike by the same words; what stands for it elsewhere is a hash of it. */
  text: string;
  /** Of the enabled rules in evaluation order: only people ask for them. */
  ruleIds: string[];
}

/** RULE-11: disabled rules do not exist. */
export function evaluationOrder(rules: readonly Rule[]): Rule[] {
  return inEvaluationOrder(rules).filter(({ enabled }) => enabled);
}

/** Of a stored policy in normal form. */
export function policyContent(policy: Policy): PolicyContent {
  const rules = evaluationOrder(policy.rules);
  const declaresCostControls = rules.some(({ then }) => actionRow(then.type).controlsCost === true);
  const content: Content = [policy.default_provider, declaresCostControls, rules.map(toContentRule)];
  return { text: JSON.stringify(content), ruleIds: rules.map(({ rule_id }) => rule_id) };
}

/** Of a text that `policyContent` made. */
export function parseContent(text: string): Content {
  return JSON.parse(text) as Content;
}

export function actionOf([, then]: ContentRule): RuleAction {
  return JSON.parse(then) as RuleAction;
}

/** Each key of a rule's `when` with its value, in the order written. */
export function conditionsOf(rule: ContentRule): [key: string, value: unknown][] {
  const conditions: [string, unknown][] = [];
  for (let at = CONDITIONS_AT; at < rule.length; at += 2) conditions.push([rule[at] as string, rule[at + 1]]);
  return conditions;
}

/** Where the keys and values begin. */
export const CONDITIONS_AT = 3;

function toContentRule({ name, when, then, rule_id }: Rule): ContentRule {
  const conditions = Object.entries(when).filter(([, value]) => value !== undefined);
  return [
    name,
    JSON.stringify(sorted(then)),
    draws(when) ? rule_id : "",
    ...conditions.flatMap(([key, value]): unknown[] => [key, isGroup(key) ? value : sorted(value)]),
  ];
}

function isGroup(key: string): boolean {
  return CONDITION_GROUPS.some((group) => group === key);
}

/** Whether which orders a rule matches depends on its id. */
function draws(when: Conditions): boolean {
  return (
    when.sample_bps_lt !== undefined || CONDITION_GROUPS.some((group) => (when[group] ?? []).some(draws))
  );
}

/** The same value with the keys of its objects in one order: there it means nothing. */
function sorted<T>(value: T): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]): [string, unknown] => [key, sorted(member)])) as T;
}
