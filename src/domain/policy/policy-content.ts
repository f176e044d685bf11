import { ACTION_TYPES, actionRow } from "./action-rows.js";
import type { ProviderId } from "../vocabulary/decision-request.js";
import { CONDITION_GROUPS } from "./condition-vocabulary.js";
import { inEvaluationOrder } from "./normal-form.js";
import type { Conditions, Policy, Rule, RuleAction } from "./policy.js";

/**
 * One enabled rule with the parts that decisions need, in the form that parses fastest. The action stays text, because
 * most rules match no request of a batch. The keys of `when` follow in the order written, each before its value. The
 * rule id is "" unless `sample_bps_lt` needs it. Merchants who use the same template therefore share one content,
 * although their rule ids differ.
 */
export type ContentRule = readonly [name: string, then: string, ruleId: string, ...when: unknown[]];

/** The part of a policy that decisions need. */
export type Content = readonly [
  defaultProvider: ProviderId | null,
  /** As in `CompiledPolicy`. */
  declaresCostControls: boolean,
  /** The enabled rules in evaluation order. */
  rules: readonly ContentRule[],
];

export interface PolicyContent {
  /** Policies have the same text if they decide alike and use the same names. Other modules use its hash as an id. */
  text: string;
  /** The ids of the enabled rules in evaluation order. Only explanations need them. */
  ruleIds: string[];
}

/** RULE-11: a disabled rule counts as absent. */
export function evaluationOrder(rules: readonly Rule[]): Rule[] {
  return inEvaluationOrder(rules).filter(({ enabled }) => enabled);
}

/** The content of a stored policy in normal form. */
export function policyContent(policy: Policy): PolicyContent {
  const rules = evaluationOrder(policy.rules);
  const declaresCostControls = rules.some(({ then }) => actionRow(then.type).controlsCost === true);
  const content: Content = [policy.default_provider, declaresCostControls, rules.map(toContentRule)];
  return { text: JSON.stringify(content), ruleIds: rules.map(({ rule_id }) => rule_id) };
}

/** Parses a text that `policyContent` wrote. */
export function parseContent(text: string): Content {
  return JSON.parse(text) as Content;
}

export function actionOf([, then]: ContentRule): RuleAction {
  return JSON.parse(then) as RuleAction;
}

/**
 * How the actions that count attempts appear in a rule's JSON text. Quotes inside a value are escaped there, so a value
 * cannot contain this text.
 */
const COUNTING_ACTIONS = ACTION_TYPES.filter((type) => actionRow(type).countsAttempts === true).map(
  (type) => `"type":${JSON.stringify(type)}`,
);

/**
 * True if the rule's action counts attempts. It searches the text, because it would be slower to parse every action.
 */
export function countsAttempts([, then]: ContentRule): boolean {
  return COUNTING_ACTIONS.some((action) => then.includes(action));
}

/** Lists each key of a rule's `when` with its value, in the order written. */
export function conditionsOf(rule: ContentRule): [key: string, value: unknown][] {
  const conditions: [string, unknown][] = [];
  for (let at = CONDITIONS_AT; at < rule.length; at += 2) conditions.push([rule[at] as string, rule[at + 1]]);
  return conditions;
}

/** The index of the first key in a ContentRule. Keys and values alternate from there. */
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

/** True if the rule's id influences which orders the rule matches. */
function draws(when: Conditions): boolean {
  return (
    when.sample_bps_lt !== undefined || CONDITION_GROUPS.some((group) => (when[group] ?? []).some(draws))
  );
}

/** Returns the value with the keys of its objects sorted, because their order has no meaning. */
function sorted<T>(value: T): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]): [string, unknown] => [key, sorted(member)])) as T;
}
