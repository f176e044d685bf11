import type { Policy } from "../../../../domain/policy/policy.js";
import type { PolicyDraft, PolicyTemplate, RuleDraft } from "../../../../client/wire-types.js";
import { ACTION_SPELLINGS } from "../../../../domain/policy/action-rows.js";
import { inEvaluationOrder } from "../../../../domain/policy/normal-form.js";

/** What stands under `then` while it is edited: `type` names an action, its options may still be missing. */
export type ActionDraft = { type: string } & Readonly<Record<string, unknown>>;
/** What stands under `when` while it is edited. */
export type WhenDraft = Readonly<Record<string, unknown>>;

export interface RuleEdit {
  /** Of this page alone: which rule is which, whatever is changed in it. */
  key: string;
  /** Left out where the service is to make one. */
  ruleId?: string;
  name: string;
  priority?: number;
  enabled: boolean;
  when: WhenDraft;
  then: ActionDraft;
}

/** A policy while it is edited, as a form and as JSON alike. */
export interface Draft {
  name: string;
  defaultProvider: string | null;
  rules: readonly RuleEdit[];
}

let keys = 0;
export function newKey(): string {
  return `rule-${keys++}`;
}

export const EMPTY_DRAFT: Draft = { name: "", defaultProvider: null, rules: [] };

/** A stored version to go on from; its rules in the order in which they are evaluated. */
export function draftOf(policy: Policy): Draft {
  return {
    name: policy.name,
    defaultProvider: policy.default_provider,
    rules: inEvaluationOrder(policy.rules).map((rule) => ruleEdit(rule as RuleDraft)),
  };
}

/** POL-24: rules of a template, under ids of their own, because a merchant may begin with it twice. */
export function draftOfTemplate({
  name,
  default_provider,
  rules,
}: Omit<PolicyTemplate, "template_id" | "english" | "choices">): Draft {
  return {
    name,
    defaultProvider: default_provider,
    rules: rules.map(({ rule_id: _id, priority: _priority, ...rule }) => ruleEdit(rule as RuleDraft)),
  };
}

export function ruleEdit(rule: RuleDraft, key = newKey()): RuleEdit {
  const { rule_id, name, priority, enabled, when, then } = rule;
  return {
    key,
    ...(rule_id === undefined ? {} : { ruleId: rule_id }),
    name,
    ...(priority === undefined ? {} : { priority }),
    enabled: enabled ?? true,
    when,
    then: normallySpelled(then),
  };
}

/**
 * RULE-10, the accepted spellings: the form knows the normal one. Everything else stays as it was written, so that
 * the service can say what is wrong with it.
 */
function normallySpelled({ type, ...options }: ActionDraft): ActionDraft {
  const normal = { type: ACTION_SPELLINGS.get(type) ?? type };
  const { provider, ...rest } = options;
  if (provider === undefined || rest["providers"] !== undefined) return { ...normal, ...options };
  return { ...normal, ...rest, providers: [provider] };
}

/** As POST /v1/policies takes it; whether it is valid, the service says. */
export function toWire({ name, defaultProvider, rules }: Draft): PolicyDraft & { name: string } {
  return {
    name,
    ...(defaultProvider === null ? {} : { default_provider: defaultProvider }),
    rules: rules.map(
      ({ ruleId, name, priority, enabled, when, then }) =>
        ({
          ...(ruleId === undefined ? {} : { rule_id: ruleId }),
          name,
          ...(priority === undefined ? {} : { priority }),
          enabled,
          when,
          then,
        }) as RuleDraft,
    ),
  };
}

/** Equal drafts have equal texts. */
export function draftText(draft: Draft): string {
  return JSON.stringify(toWire(draft), null, 2);
}

/** A rule a person begins with. */
export function newRule(): RuleEdit {
  return { key: newKey(), name: "New rule", enabled: true, when: {}, then: { type: "step_up" } };
}

/** Behind all others. */
export function addRules(rules: readonly RuleEdit[], added: readonly RuleEdit[]): RuleEdit[] {
  return asShown([...inEvaluationOrder(rules), ...added]);
}

/** Behind the rule it is made of, under an id of its own. */
export function duplicateRule(rules: readonly RuleEdit[], index: number): RuleEdit[] {
  const source = rules[index];
  if (source === undefined) return [...rules];
  const { ruleId: _ruleId, ...rest } = source;
  const copy = { ...rest, key: newKey(), name: `${source.name} (copy)` };
  const ordered = inEvaluationOrder(rules);
  return asShown(ordered.toSpliced(ordered.indexOf(source) + 1, 0, copy));
}

/** So many places up (negative) or down in the order of evaluation; not beyond either end. */
export function moveRule(rules: readonly RuleEdit[], index: number, places: number): RuleEdit[] {
  const rule = rules[index];
  const ordered = inEvaluationOrder(rules);
  const from = rule === undefined ? -1 : ordered.indexOf(rule);
  const to = from + places;
  if (rule === undefined || to < 0 || to >= ordered.length) return [...rules];
  return asShown(ordered.toSpliced(from, 1).toSpliced(to, 0, rule));
}

export function removeRule(rules: readonly RuleEdit[], index: number): RuleEdit[] {
  const removed = rules[index];
  return asShown(inEvaluationOrder(rules).filter((rule) => rule !== removed));
}

/** The list in the order of evaluation. */
export function sortRules(rules: readonly RuleEdit[]): RuleEdit[] {
  return asShown(inEvaluationOrder(rules));
}

/** Makes the order of the list that of evaluation: where the rules' own priorities say another one, all of them go. */
export function asShown(rules: readonly RuleEdit[]): RuleEdit[] {
  if (!isOutOfOrder(rules)) return [...rules];
  return rules.map(({ priority: _priority, ...rule }) => rule);
}

/** Whether priorities put the rules in another order than the list's. */
export function isOutOfOrder(rules: readonly RuleEdit[]): boolean {
  return inEvaluationOrder(rules).some((rule, index) => rule !== rules[index]);
}

/** Whether anything was edited since `base`. */
export function isEdited(base: Draft, draft: Draft): boolean {
  return draftText(base) !== draftText(draft);
}
