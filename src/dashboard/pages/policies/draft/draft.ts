import type { Policy } from "../../../../domain/policy/policy.js";
import type { PolicyDraft, PolicyTemplate, RuleDraft } from "../../../../client/wire-types.js";
import { ACTION_SPELLINGS } from "../../../../domain/policy/action-rows.js";
import { inEvaluationOrder } from "../../../../domain/policy/normal-form.js";

/** The value of `then` during editing. `type` names an action, and its options may still be missing. */
export type ActionDraft = { type: string } & Readonly<Record<string, unknown>>;
/** The value of `when` during editing. */
export type WhenDraft = Readonly<Record<string, unknown>>;

export interface RuleEdit {
  /** A key that exists only on this page. It identifies the rule while all else changes. */
  key: string;
  /** Absent if the service is to create one. */
  ruleId?: string;
  name: string;
  priority?: number;
  enabled: boolean;
  when: WhenDraft;
  then: ActionDraft;
}

/** A policy in the editor. The form and the JSON show the same draft. */
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

/** Returns a draft of a stored version, with the rules in their order of evaluation. */
export function draftOf(policy: Policy): Draft {
  return {
    name: policy.name,
    defaultProvider: policy.default_provider,
    rules: inEvaluationOrder(policy.rules).map((rule) => ruleEdit(rule as RuleDraft)),
  };
}

/** POL-24: returns a draft of a template. Its rules get new ids, because a merchant may use the template twice. */
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
 * RULE-10: converts accepted spellings to the normal one that the form knows. All else stays as written, so that the
 * service can report errors.
 */
function normallySpelled({ type, ...options }: ActionDraft): ActionDraft {
  const normal = { type: ACTION_SPELLINGS.get(type) ?? type };
  const { provider, ...rest } = options;
  if (provider === undefined || rest["providers"] !== undefined) return { ...normal, ...options };
  return { ...normal, ...rest, providers: [provider] };
}

/** Returns the draft in the form of POST /v1/policies. The service checks whether it is valid. */
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

/** Returns the draft as JSON text. Equal drafts have equal texts. */
export function draftText(draft: Draft): string {
  return JSON.stringify(toWire(draft), null, 2);
}

/** Returns a new rule. */
export function newRule(): RuleEdit {
  return { key: newKey(), name: "New rule", enabled: true, when: {}, then: { type: "step_up" } };
}

/** Adds the rules after all others. */
export function addRules(rules: readonly RuleEdit[], added: readonly RuleEdit[]): RuleEdit[] {
  return asShown([...inEvaluationOrder(rules), ...added]);
}

/** Inserts a copy of a rule after it. The copy has a new id. */
export function duplicateRule(rules: readonly RuleEdit[], index: number): RuleEdit[] {
  const source = rules[index];
  if (source === undefined) return [...rules];
  const { ruleId: _ruleId, ...rest } = source;
  const copy = { ...rest, key: newKey(), name: `${source.name} (copy)` };
  const ordered = inEvaluationOrder(rules);
  return asShown(ordered.toSpliced(ordered.indexOf(source) + 1, 0, copy));
}

/**
 * Moves a rule by a number of places in the order of evaluation. A negative number moves it up. A move past an end of
 * the list changes nothing.
 */
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

/** Returns the rules in their order of evaluation, as a list. */
export function sortRules(rules: readonly RuleEdit[]): RuleEdit[] {
  return asShown(inEvaluationOrder(rules));
}

/**
 * Makes the order of the list the order of evaluation. If priorities contradict the list, it removes all priorities.
 */
export function asShown(rules: readonly RuleEdit[]): RuleEdit[] {
  if (!isOutOfOrder(rules)) return [...rules];
  return rules.map(({ priority: _priority, ...rule }) => rule);
}

/** True if the priorities contradict the order of the list. */
export function isOutOfOrder(rules: readonly RuleEdit[]): boolean {
  return inEvaluationOrder(rules).some((rule, index) => rule !== rules[index]);
}

/** True if the draft differs from `base`. */
export function isEdited(base: Draft, draft: Draft): boolean {
  return draftText(base) !== draftText(draft);
}
