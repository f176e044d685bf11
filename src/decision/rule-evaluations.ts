import type { CompiledPolicy } from "../policy/compile-policy.js";
import type { PolicyFacts } from "../policy/policy-facts.js";

/** Why one enabled rule matched or did not. */
export interface RuleEvaluationBody {
  rule_id: string;
  name: string;
  matched: boolean;
  /** The first key of `when` that did not hold; null where the rule matched. */
  failed_condition: string | null;
}

/** Every enabled rule, in the order they are evaluated; none without a policy. */
export function evaluateRules(policy: CompiledPolicy | null, facts: PolicyFacts): RuleEvaluationBody[] {
  return (policy?.explain(facts) ?? []).map(({ ruleId, name, matched, stoppedBy }) => ({
    rule_id: ruleId,
    name,
    matched,
    failed_condition: stoppedBy,
  }));
}
