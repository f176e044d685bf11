import { decide } from "./decide.js";
import type { DecideInput } from "./decision.js";
import { type ProviderEvaluationBody, toEvaluationBodies } from "./evaluation-bodies.js";
import type { ExclusionReason } from "./evaluation.js";
import { toPolicyFacts } from "../policy/compile-policy.js";
import { type DecisionResponse, toResponse } from "./response.js";
import { shownCost, type ShownCost } from "./shown-cost.js";
import { type RuleEvaluationBody, evaluateRules } from "./rule-evaluations.js";

/** SIM-3, without `validation`. */
export interface Simulation extends Pick<
  DecisionResponse,
  "action" | "route" | "risk" | "reason_codes" | "model" | "economics" | "policy"
> {
  cost: ShownCost | null;
  matched_rules: readonly string[];
  excluded_providers: { provider: string; exclusion_reason: ExclusionReason }[];
  provider_evaluations: ProviderEvaluationBody[];
  route_scores: Record<string, number>;
  /** Every enabled rule, in evaluation order. */
  rule_evaluations: RuleEvaluationBody[];
}

/**
 * Decides with the same function as the live path, and gives the reasons. `ruleIds` are the policy's rule ids in
 * evaluation order.
 */
export function simulate(input: DecideInput, ruleIds: readonly string[]): Simulation {
  const { request, context, mode, nowMs } = input;
  const decision = decide(input);
  const { action, route, risk, reason_codes, model, cost, economics, policy } = toResponse(decision, 0);
  const facts = toPolicyFacts(request, mode, decision.decisionMode, decision.risk, nowMs, context.health);
  return {
    action,
    route,
    risk,
    matched_rules: policy.matched_rules,
    excluded_providers: decision.evaluations.flatMap(({ provider, exclusionReason }) =>
      exclusionReason === null ? [] : [{ provider, exclusion_reason: exclusionReason }],
    ),
    provider_evaluations: toEvaluationBodies(decision.evaluations),
    route_scores: model.route_scores,
    reason_codes,
    model,
    cost: shownCost(cost),
    economics,
    policy,
    rule_evaluations: context.policy === null ? [] : evaluateRules(context.policy.compiled, ruleIds, facts),
  };
}
