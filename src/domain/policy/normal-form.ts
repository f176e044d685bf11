import type { ProviderId } from "../vocabulary/decision-request.js";
import { unreachable } from "../vocabulary/unreachable.js";
import type { Conditions, Rule, RuleAction } from "./policy.js";

// The defaults in the table of `then.type`.
const STRICT_DEFAULT = true;
const BOOST_DEFAULT = 15;
const SAME_PROVIDER_DEFAULT = true;
/** The step leaves room before the first rule and between any two rules. */
const PRIORITY_STEP = 10;

/** `provider` is an accepted spelling of a `providers` list with one item. */
interface WrittenProviders {
  providers?: ProviderId[] | undefined;
  provider?: ProviderId | undefined;
}

/** RULE-10: `then` of a valid policy, in every accepted spelling. */
export type WrittenAction =
  | Extract<
      RuleAction,
      { type: "block" | "hold" | "step_up" | "no_retry" | "max_cost" | "optimize_for" | "split_traffic" }
    >
  | ({
      type: "prefer_provider" | "preferred_provider";
      strict?: boolean | undefined;
      boost?: number | undefined;
    } & WrittenProviders)
  | ({ type: "exclude_provider" | "excluded_provider" | "restrict_providers" } & WrittenProviders)
  | ({ type: "require_min_health"; min_score: number } & WrittenProviders)
  | { type: "retry_on_timeout"; same_provider?: boolean | undefined };

/** A rule of a valid policy, as its author wrote it. */
export interface WrittenRule {
  rule_id?: string | undefined;
  name: string;
  priority?: number | undefined;
  enabled?: boolean | undefined;
  when: Conditions;
  then: WrittenAction;
}

/** POL-5: the position of the first rule is 1. `index` counts from 0. */
export function defaultPriority(index: number): number {
  return (index + 1) * PRIORITY_STEP;
}

/**
 * RULE-11: a lower `priority` comes first, and equal ones keep their order. A missing priority is taken from the
 * position.
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
export function normalAction(action: WrittenAction): RuleAction {
  switch (action.type) {
    case "block":
    case "hold":
    case "step_up": {
      const { type, reason_code } = action;
      return reason_code === undefined ? { type } : { type, reason_code };
    }
    case "prefer_provider":
    case "preferred_provider":
      return {
        type: "prefer_provider",
        providers: providersOf(action) ?? [],
        strict: action.strict ?? STRICT_DEFAULT,
        boost: action.boost ?? BOOST_DEFAULT,
      };
    case "exclude_provider":
    case "excluded_provider":
      return { type: "exclude_provider", providers: providersOf(action) ?? [] };
    case "restrict_providers":
      return { type: "restrict_providers", providers: providersOf(action) ?? [] };
    case "require_min_health": {
      const providers = providersOf(action);
      const { type, min_score } = action;
      return providers === undefined ? { type, min_score } : { type, min_score, providers };
    }
    case "retry_on_timeout":
      return { type: action.type, same_provider: action.same_provider ?? SAME_PROVIDER_DEFAULT };
    case "no_retry":
    case "max_cost":
    case "optimize_for":
    case "split_traffic":
      return action;
    default:
      return unreachable(action);
  }
}

function providersOf({ providers, provider }: WrittenProviders): ProviderId[] | undefined {
  return provider === undefined ? providers : [provider];
}
