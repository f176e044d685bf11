import { ACTION_TYPES } from "../../../domain/policy/action-rows.js";
import { CONDITION_GROUPS, CONDITION_OPERATORS } from "../../../domain/policy/condition-vocabulary.js";

const OPERATORS = [...new Set(Object.values(CONDITION_OPERATORS).flat())];

const evaluation = {
  rule_id: { type: "string" },
  name: { type: "string" },
  matched: { type: "boolean" },
  failed_condition: {
    type: ["string", "null"],
    description: "The first key of when that did not hold; null if the rule matched.",
  },
} as const;

/** One item for every enabled rule of a policy: whether it matched, and if not, the first condition that failed. */
export const ruleEvaluationsSchema = {
  type: "array",
  description: "Every enabled rule, in the order they are evaluated.",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["rule_id", "name", "matched", "failed_condition"],
    properties: evaluation,
  },
} as const;

const held = { type: "boolean" } as const;

/** A condition within a branch. The API's document replaces it with `conditionEvaluationSchema`. */
export const nestedConditionSchema = { type: "object" } as const;

/** One condition of a rule's `when` with the actual value, or a group of conditions. */
export const conditionEvaluationSchema = {
  anyOf: [
    {
      type: "object",
      title: "Field",
      additionalProperties: false,
      required: ["condition", "field", "operator", "expected", "actual", "held"],
      properties: {
        condition: { type: "string", description: "The key of when: field, _, operator." },
        field: { type: "string" },
        operator: { type: "string", enum: OPERATORS },
        expected: { description: "The value that the rule requires, as the policy states it." },
        actual: {
          description:
            "The value at the time of the decision; null if the field was absent. For sample_bps it is the order's bucket, and for offered_provider all offered providers.",
        },
        held,
      },
    },
    {
      type: "object",
      title: "Group",
      additionalProperties: false,
      required: ["condition", "held", "decided_by", "branches"],
      properties: {
        condition: { type: "string", enum: CONDITION_GROUPS },
        held,
        decided_by: {
          type: ["integer", "null"],
          minimum: 0,
          description:
            "The position of the first branch that held, or for all_of of the first that did not. null if all branches decided together.",
        },
        branches: {
          type: "array",
          items: {
            type: "object",
            additionalProperties: false,
            required: ["held", "conditions"],
            properties: { held, conditions: { type: "array", items: nestedConditionSchema } },
          },
        },
      },
    },
  ],
} as const;

/** The evaluation of a rule, with every condition and its actual value. */
export const explainedRuleSchema = {
  type: "object",
  additionalProperties: false,
  required: ["rule_id", "name", "action_type", "matched", "failed_condition", "conditions"],
  properties: {
    ...evaluation,
    action_type: { type: "string", enum: ACTION_TYPES },
    conditions: {
      type: "array",
      items: conditionEvaluationSchema,
      description: "Every key of when, including those after the first that did not hold.",
    },
  },
} as const;
