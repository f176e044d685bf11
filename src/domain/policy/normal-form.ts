import type { ProviderId } from "../vocabulary/decision-request.js";
import type { ActionOption } from "./action-row.js";
import {
  ACTION_SPELLINGS,
  actionRow,
  type ActionAlias,
  type ActionOptions,
  type ActionType,
} from "./action-rows.js";
import type { Conditions, OptionValue, Rule, RuleAction } from "./policy.js";

/** Default priorities are 10, 20, 30, …, so that rules can later be inserted before, between and after them. */
const PRIORITY_STEP = 10;

/** An author may write `provider` for a `providers` list with one item. */
type WrittenProviders = {
  providers?: ProviderId[] | undefined;
  provider?: ProviderId | undefined;
};

type WrittenOptions<Options> = {
  -readonly [
    Name in keyof Options as Options[Name] extends { presence: "required" }
      ? Name extends "providers"
        ? never
        : Name
      : never
  ]: OptionValue<Options[Name]>;
} & {
  -readonly [Name in keyof Options as Options[Name] extends { presence: "required" } ? never : Name]?:
    | OptionValue<Options[Name]>
    | undefined;
} & ("providers" extends keyof Options ? WrittenProviders : unknown);

/** RULE-10: `then` of a valid policy, in every accepted spelling. */
export type WrittenAction = {
  [Type in ActionType]: { type: Type | ActionAlias<Type> } & WrittenOptions<ActionOptions<Type>>;
}[ActionType];

/** A rule of a valid policy, as its author wrote it. */
export interface WrittenRule {
  rule_id?: string | undefined;
  name: string;
  priority?: number | undefined;
  enabled?: boolean | undefined;
  when: Conditions;
  then: WrittenAction;
}

/** POL-5: the priority of a rule without one. `index` counts from 0. */
export function defaultPriority(index: number): number {
  return (index + 1) * PRIORITY_STEP;
}

/**
 * RULE-11: sorts rules by ascending `priority`. Rules with equal priority keep their order. A missing priority is
 * derived from the rule's position.
 */
export function inEvaluationOrder<R extends { readonly priority?: number | undefined }>(
  rules: readonly R[],
): R[] {
  return rules
    .map((rule, index) => ({ rule, priority: rule.priority ?? defaultPriority(index) }))
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ rule }) => rule);
}

/** The rule with its defaults filled in. `index` is its position in the policy, from 0. */
export function normalRule(written: WrittenRule, index: number, newRuleId: () => string): Rule {
  return {
    rule_id: written.rule_id ?? newRuleId(),
    name: written.name,
    priority: written.priority ?? defaultPriority(index),
    enabled: written.enabled ?? true,
    when: written.when,
    then: normalAction(written.then),
  };
}

/** A valid `then` in normal spelling, with its defaults. */
export function normalAction(written: WrittenAction): RuleAction {
  const type = ACTION_SPELLINGS.get(written.type) as ActionType;
  const normal: Record<string, unknown> = { type };
  for (const [name, option] of Object.entries(actionRow(type).options)) {
    const value = normalValue(written, name, option);
    if (value !== undefined) normal[name] = value;
  }
  return normal as RuleAction;
}

function normalValue(written: WrittenAction, name: string, option: ActionOption): unknown {
  const { provider, ...values } = written as { provider?: ProviderId } & Readonly<Record<string, unknown>>;
  const value = option.kind === "providers" && provider !== undefined ? [provider] : values[name];
  if (value !== undefined) return value;
  if (option.kind === "providers" && option.presence === "required") return [];
  return option.presence === "filled" && "default" in option ? option.default : undefined;
}
