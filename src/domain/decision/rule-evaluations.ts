import type { CompiledPolicy } from "../policy/compile-policy.js";
import type { ConditionExplanation } from "../policy/explain-conditions.js";
import type { PolicyExplainer } from "../policy/explain-policy.js";
import type { PolicyFacts } from "../policy/policy-facts.js";
import type { RuleAction } from "../policy/policy.js";
import type { ConditionGroup, ConditionOperator } from "../policy/condition-vocabulary.js";

/** Whether one enabled rule matched, and why. */
export interface RuleEvaluationBody {
  rule_id: string;
  name: string;
  matched: boolean;
  /** The first key of `when` that did not hold. Null if the rule matched. */
  failed_condition: string | null;
}

/** Evaluates every enabled rule in evaluation order, which is also the order of `ruleIds`. */
export function evaluateRules(
  policy: CompiledPolicy,
  ruleIds: readonly string[],
  facts: PolicyFacts,
): RuleEvaluationBody[] {
  return policy.explain(facts).map(({ name, matched, stoppedBy }, position) => {
    const rule_id = ruleIds[position];
    if (rule_id === undefined) throw new RangeError(`rule ${position} has no id`);
    return { rule_id, name, matched, failed_condition: stoppedBy };
  });
}

/** One condition of a rule's `when` with the request's value for it, or a condition group with its branches. */
export type ConditionBody =
  | {
      condition: string;
      field: string;
      operator: ConditionOperator;
      expected: unknown;
      /** Null if the field was absent. */
      actual: unknown;
      held: boolean;
    }
  | {
      condition: ConditionGroup;
      held: boolean;
      /**
       * The deciding branch, counted from 0. For all_of it is the first that did not hold, and for the other groups the
       * first that held. Null if no single branch decided.
       */
      decided_by: number | null;
      branches: { held: boolean; conditions: ConditionBody[] }[];
    };

/** A rule's evaluation with all conditions, including those after the first that did not hold. */
export interface ExplainedRuleBody extends RuleEvaluationBody {
  action_type: RuleAction["type"];
  conditions: ConditionBody[];
}

/** Explains every enabled rule in evaluation order, with the request's value for each condition. */
export function explainRules(policy: PolicyExplainer, facts: PolicyFacts): ExplainedRuleBody[] {
  return policy.explain(facts).map(({ ruleId, name, actionType, matched, conditions }) => ({
    rule_id: ruleId,
    name,
    action_type: actionType,
    matched,
    failed_condition: conditions.find(({ held }) => !held)?.condition ?? null,
    conditions: conditions.map(toConditionBody),
  }));
}

function toConditionBody(explained: ConditionExplanation): ConditionBody {
  if ("field" in explained) return { ...explained };
  return {
    condition: explained.condition,
    held: explained.held,
    decided_by: explained.decidedBy,
    branches: explained.branches.map(({ held, conditions }) => ({
      held,
      conditions: conditions.map(toConditionBody),
    })),
  };
}
