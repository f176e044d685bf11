import { CONDITION_GROUPS } from "../../../domain/policy/condition-vocabulary.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { JsonSchema } from "../../../platform/wire/body-validator.js";
import { backtestSchema } from "./backtest-schema.js";
import { draftSchema } from "./draft-body.js";
import { actionSchemas, type ActionType } from "./policy-action-schema.js";
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

/** A policy is judged by parts, which are one schema here, with what the code beside the parts refuses. */
export function policyBodySchemas(providers: readonly string[]): PolicyBodySchemas {
  const conditions = conditionsSchema(providers);
  const ruleAction: JsonSchema = {
    oneOf: Object.entries(actionSchemas(providers)).map(([type, schema]) => ({
      ...schema,
      title: type,
      properties: { ...schema.properties, type: { const: type } },
      ...ACTION_RULES[type as ActionType],
    })),
  };
  const rule: JsonSchema = {
    ...ruleSchema,
    description:
      "rule_id, priority (position times 10) and enabled (true) are filled in where they are absent. No two rules of a policy have one rule_id.",
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

const EITHER_SPELLING = {
  description: "Either providers or provider, which is the same with one item.",
  oneOf: [requiring("providers"), requiring("provider")],
};

/** `then`: what policy-action-rules.ts refuses of an action that its schema lets through. */
const ACTION_RULES: Readonly<Record<ActionType, JsonSchema>> = {
  block: {},
  hold: {},
  step_up: {},
  prefer_provider: EITHER_SPELLING,
  preferred_provider: EITHER_SPELLING,
  exclude_provider: EITHER_SPELLING,
  excluded_provider: EITHER_SPELLING,
  restrict_providers: EITHER_SPELLING,
  require_min_health: {
    description: "Of the providers named, or of every one; not providers and provider together.",
    not: requiring("providers", "provider"),
  },
  retry_on_timeout: {},
  no_retry: {},
  max_cost: {
    description: "One limit or both.",
    anyOf: [requiring("max_effective_bps"), requiring("max_cost_minor")],
  },
  optimize_for: {},
  split_traffic: { description: "The weights sum to 100." },
};

/** Linters ask that what is required is declared beside it. */
function requiring(...names: string[]): JsonSchema {
  return { required: names, properties: Object.fromEntries(names.map((name) => [name, {}])) };
}

/** COND-2: `when`: how deep the conditions of a rule may be, and how many. */
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
