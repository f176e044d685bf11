import { ZenEngine } from "@gorules/zen-engine";
import type { Rule } from "../../src/domain/policy/policy.js";
import type { DecisionRequest } from "../../src/domain/vocabulary/decision-request.js";
import { factsOf } from "./rival-facts.js";
import { rivalConditions, type RivalCondition } from "./rival-policy.js";

/**
 * The policy as one decision table (JSON Decision Model, hit policy `collect`), compiled once. Resolves to the
 * positions of the matching rules, ascending.
 */
export function createZenPolicy(rules: readonly Rule[]): (request: DecisionRequest) => Promise<number[]> {
  const decision = new ZenEngine().createDecision(decisionModel(rules));
  return async (request) => {
    const { result } = await decision.evaluate(factsOf(request));
    return (result as Array<{ position: number }>).map(({ position }) => position);
  };
}

function decisionModel(rules: readonly Rule[]): object {
  const conditions = rules.map((rule) => rivalConditions(rule.when));
  const fields = [...new Set(conditions.flat().map(({ field }) => field))];
  return {
    nodes: [
      { id: "request", name: "request", type: "inputNode" },
      {
        id: "table",
        name: "table",
        type: "decisionTableNode",
        content: {
          hitPolicy: "collect",
          inputs: fields.map((field) => ({ id: field, name: field, type: "expression", field })),
          outputs: [{ id: "position", name: "position", type: "expression", field: "position" }],
          rules: conditions.map((list, position) => ({
            _id: String(position),
            position: String(position),
            ...Object.fromEntries(
              fields.map((field) => [field, cell(list.find((item) => item.field === field))]),
            ),
          })),
        },
      },
      { id: "matches", name: "matches", type: "outputNode" },
    ],
    edges: [
      { id: "in", type: "edge", sourceId: "request", targetId: "table" },
      { id: "out", type: "edge", sourceId: "table", targetId: "matches" },
    ],
  };
}

/** A cell in ZEN's unary language. An empty cell always holds. */
function cell(condition: RivalCondition | undefined): string {
  switch (condition?.test) {
    case undefined:
      return "";
    case "gte":
      return `>= ${condition.value}`;
    case "in":
      return condition.value.map((item) => `'${item}'`).join(", ");
    case "is":
      return String(condition.value);
  }
}
