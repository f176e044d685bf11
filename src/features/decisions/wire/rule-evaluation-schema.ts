import { ACTION_TYPES } from "../../../domain/policy/action-rows.js";
import { CONDITION_GROUPS, CONDITION_OPERATORS } from "../../../domain/policy/condition-vocabulary.js";

const OPERATORS = [...new Set(Object.values(CONDITION_OPERATORS).flat())];

const evaluation = {
  rule_id: { type: "string" },
  name: { type: "string" },
  matched: { type: "boolean" },
  failed_condition: {
    type: ["string", "null"],
    description: "The first key of when that did not hold; null where the rule matched.",
  },
} as const;

/** For every enabled rule of a policy: whether it matched, and otherwise which condition stopped it. */
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

/** A condition within a branch: in the document its place is taken by `conditionEvaluationSchema`. */
export const nestedConditionSchema = { type: "object" } as const;

/** One key of a rule's `when` beside the value it met, or a group of them. */
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
        expected: { description: "What the rule asks for, as the policy says it." },
        actual: {
          description:
            "What there was when it was decided; null where the field was absent. Of sample_bps the order's bucket, of offered_provider all that were offered.",
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
            "Position of the first branch that held, of all_of the first that did not; null where all branches decided together.",
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

/** The same with every condition and the value it met. */
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
      description: "Every key of when, also those behind the first that did not hold.",
    },
  },
} as const;
