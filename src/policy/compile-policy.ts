import type { ProviderId } from "../shared/decision-request.js";
import { inOnePiece } from "../shared/in-one-piece.js";
import { type Effect, compileAction } from "./compile-action.js";
import { type KeyedTest, compileKeys } from "./compile-conditions.js";
import { inEvaluationOrder } from "./normal-form.js";
import { NOTHING_MATCHED, PolicyEvaluation, type MatchedRule } from "./policy-evaluation.js";
import type { PolicyFacts } from "./policy-facts.js";
import type { Policy, Rule } from "./policy.js";
import { createRuleIndex } from "./rule-index.js";

/** Why one enabled rule matched or did not. */
export interface RuleExplanation {
  readonly ruleId: string;
  readonly name: string;
  readonly matched: boolean;
  /** The first key of `when` that did not hold, as written; null when the rule matched. */
  readonly stoppedBy: string | null;
}

/** One version of a policy as closures: built once per version, never interpreted per request. */
export interface CompiledPolicy {
  readonly policyId: string;
  readonly version: string;
  readonly defaultProvider: ProviderId | null;
  /** spec "Model generations": an enabled max_cost or optimize_for rule, matched or not, selects deterministic-v2. */
  readonly declaresCostControls: boolean;
  /** Evaluates all enabled rules. The result is read-only, and shared when nothing matches. */
  evaluate(facts: PolicyFacts): Readonly<PolicyEvaluation>;
  /** The slow form of `evaluate`, for people: every enabled rule in evaluation order. */
  explain(facts: PolicyFacts): RuleExplanation[];
}

interface CompiledRule extends MatchedRule {
  readonly apply: Effect;
}

/** contract §5: disabled rules do not exist. */
export function evaluationOrder(rules: readonly Rule[]): Rule[] {
  return inEvaluationOrder(rules).filter(({ enabled }) => enabled);
}

/** Compiles a stored policy in normal form. Throws RangeError on what policy validation would have refused. */
export function compilePolicy(policy: Policy): CompiledPolicy {
  const ordered = evaluationOrder(policy.rules);
  const keyed: KeyedTest[][] = ordered.map((rule) => compileKeys(rule.when, rule.rule_id));
  const rules: CompiledRule[] = ordered.map((rule) => ({
    name: rule.name,
    nameJson: JSON.stringify(rule.name),
    nextNameJson: inOnePiece(",", JSON.stringify(rule.name)),
    apply: compileAction(rule.then),
  }));
  const index = createRuleIndex(keyed);

  return {
    policyId: policy.policy_id,
    version: policy.version,
    defaultProvider: policy.default_provider,
    declaresCostControls: ordered.some(
      ({ then }) => then.type === "max_cost" || then.type === "optimize_for",
    ),

    evaluate(facts) {
      const count = index.match(facts);
      if (count === 0) return NOTHING_MATCHED;
      const evaluation = new PolicyEvaluation();
      for (let at = 0; at < count; at++) {
        const rule = rules[index.matching[at] as number] as CompiledRule;
        evaluation.addMatch(rule);
        rule.apply(evaluation);
      }
      return evaluation;
    },

    explain(facts) {
      return ordered.map((rule, position) => {
        const stopped = (keyed[position] as KeyedTest[]).find(({ test }) => !test(facts));
        return {
          ruleId: rule.rule_id,
          name: rule.name,
          matched: stopped === undefined,
          stoppedBy: stopped?.key ?? null,
        };
      });
    },
  };
}
