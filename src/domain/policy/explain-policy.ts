import { evaluationOrder } from "./policy-content.js";
import { explainConditions, type ConditionExplanation } from "./explain-conditions.js";
import type { PolicyFacts } from "./policy-facts.js";
import type { Conditions, Policy, RuleAction } from "./policy.js";
import { CONDITION_GROUPS } from "./condition-vocabulary.js";

/** One enabled rule, with the request's value for each of its conditions. */
export interface ExplainedRule {
  readonly ruleId: string;
  readonly name: string;
  readonly actionType: RuleAction["type"];
  readonly matched: boolean;
  readonly conditions: readonly ConditionExplanation[];
}

/** One version of a policy, prepared to explain its rules. */
export interface PolicyExplainer {
  readonly version: string;
  /** True if any condition reads a provider's health. If false, callers need not load health. */
  readonly asksHealth: boolean;
  /** Explains every enabled rule in evaluation order. */
  explain(facts: PolicyFacts): ExplainedRule[];
}

/** Throws RangeError for an unknown condition, which policy validation refuses. */
export function createPolicyExplainer(policy: Policy): PolicyExplainer {
  const rules = evaluationOrder(policy.rules).map((rule) => ({
    rule,
    explain: explainConditions(rule.when, rule.rule_id),
  }));
  return {
    version: policy.version,
    asksHealth: rules.some(({ rule }) => asksHealth(rule.when)),
    explain: (facts) =>
      rules.map(({ rule, explain }) => {
        const conditions = explain(facts);
        return {
          ruleId: rule.rule_id,
          name: rule.name,
          actionType: rule.then.type,
          matched: conditions.every(({ held }) => held),
          conditions,
        };
      }),
  };
}

function asksHealth(when: Conditions): boolean {
  return (
    when.provider_health_state_in !== undefined ||
    CONDITION_GROUPS.some((group) => (when[group] ?? []).some(asksHealth))
  );
}
