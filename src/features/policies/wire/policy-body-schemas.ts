import { ACTION_SPELLINGS, actionRow, type ActionType } from "../../../domain/policy/action-rows.js";
import { CONDITION_GROUPS } from "../../../domain/policy/condition-vocabulary.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { JsonSchema } from "../../../platform/wire/body-validator.js";
import { backtestSchema } from "./backtest-schema.js";
import { draftSchema } from "./draft-body.js";
import { actionRules, actionSchemas } from "./policy-action-schema.js";
import { conditionsSchema } from "./policy-condition-schema.js";
import { policyBodySchema, policySourceSchema, ruleSchema } from "./policy-schema.js";
import { simulationSchema } from "./simulation-schema.js";

export interface PolicyBodySchemas {
  conditions: JsonSchema;
  ruleAction: JsonSchema;
  rule: JsonSchema;
  policy: JsonSchema;
  draft: JsonSchema;
  simulation: JsonSchema;
  backtest: JsonSchema;
}

/**
 * The complete schema of a policy, for the API's document. The service validates a policy in parts. Descriptions
 * contain the rules that only the code checks.
 */
export function policyBodySchemas(providers: readonly string[]): PolicyBodySchemas {
  const conditions = conditionsSchema(providers);
  const ruleAction: JsonSchema = {
    oneOf: Object.entries(actionSchemas(providers)).map(([spelling, schema]) => ({
      ...schema,
      title: spelling,
      properties: { ...schema.properties, type: { const: spelling } },
      ...actionRules(actionRow(ACTION_SPELLINGS.get(spelling) as ActionType)),
    })),
  };
  const rule: JsonSchema = {
    ...ruleSchema,
    description:
      "If rule_id, priority (position times 10) or enabled (true) is absent, it is filled in. Each rule_id of a policy is unique.",
    properties: { ...ruleSchema.properties, when: boundedConditions(conditions), then: ruleAction },
  };
  const source = policySourceSchema(providers);
  const { default_provider } = source.properties;
  const rules = { ...source.properties.rules, items: rule };
  const draft = {
    ...draftSchema,
    required: source.required,
    properties: { ...draftSchema.properties, default_provider, rules },
  };
  const simulation = simulationSchema(providers);
  return {
    conditions,
    ruleAction,
    rule,
    policy: {
      ...policyBodySchema,
      required: [...policyBodySchema.required, ...source.required],
      properties: { ...policyBodySchema.properties, default_provider, rules },
    },
    draft,
    simulation: { ...simulation, properties: { ...simulation.properties, policy: draft } },
    backtest: { ...backtestSchema, properties: { ...backtestSchema.properties, policy: draft } },
  };
}

/** COND-2: the limits on the depth and the number of a rule's conditions, in `when`. */
function boundedConditions(conditions: JsonSchema): JsonSchema {
  return {
    description:
      `any_of, all_of and none_of stand at most ${LIMITS.conditionLevelsMax} levels deep. ` +
      `At most ${LIMITS.conditionKeysPerRuleMax} conditions, nested ones included.`,
    allOf: [conditions, nestedAtMost(LIMITS.conditionLevelsMax)],
  };
}

function nestedAtMost(levels: number): JsonSchema {
  if (levels === 0) return { propertyNames: { not: { enum: CONDITION_GROUPS } } };
  return {
    patternProperties: { [`^(?:${CONDITION_GROUPS.join("|")})$`]: { items: nestedAtMost(levels - 1) } },
  };
}
