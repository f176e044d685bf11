/** Of every enabled rule of a policy: whether it matched, and else what stopped it. */
export const ruleEvaluationsSchema = {
  type: "array",
  description: "Every enabled rule, in the order they are evaluated.",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["rule_id", "name", "matched", "failed_condition"],
    properties: {
      rule_id: { type: "string" },
      name: { type: "string" },
      matched: { type: "boolean" },
      failed_condition: {
        type: ["string", "null"],
        description: "The first key of when that did not hold; null where the rule matched.",
      },
    },
  },
} as const;
