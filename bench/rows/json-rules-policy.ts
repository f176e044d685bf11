import { Engine, type RuleProperties } from "json-rules-engine";
import type { Rule } from "../../src/domain/policy/policy.js";
import type { DecisionRequest } from "../../src/domain/vocabulary/decision-request.js";
import { factsOf } from "./rival-facts.js";
import { rivalConditions, type RivalCondition } from "./rival-policy.js";

/** The policy in json-rules-engine, built once. Resolves to the positions of the matching rules, ascending. */
export function createJsonRulesPolicy(
  rules: readonly Rule[],
): (request: DecisionRequest) => Promise<number[]> {
  const engine = new Engine(rules.map(translate), { allowUndefinedFacts: true });
  return async (request) => {
    const { events } = await engine.run(factsOf(request));
    return events.map((event) => event.params?.["position"] as number).toSorted((a, b) => a - b);
  };
}

function translate(rule: Rule, position: number): RuleProperties {
  return {
    name: rule.name,
    conditions: { all: rivalConditions(rule.when).map(condition) },
    event: { type: rule.then.type, params: { position } },
  };
}

function condition({ field, test, value }: RivalCondition) {
  const operator = { gte: "greaterThanInclusive", in: "in", is: "equal" }[test];
  return { fact: field, operator, value };
}
