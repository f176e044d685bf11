import { backtestSchema } from "../backtest-schema.js";
import type { JsonSchema } from "../body-validator.js";
import { decisionRequestSchema } from "../decision-schema.js";
import { draftSchema } from "../draft-body.js";
import { outcomeReportSchema } from "../outcome-schema.js";
import { actionSchemas } from "../policy-action-schema.js";
import { conditionsSchema } from "../policy-condition-schema.js";
import { policyBodySchema, policySourceSchema, ruleSchema } from "../policy-schema.js";
import { pricingBodySchema } from "../pricing-schema.js";
import { simulationSchema } from "../simulation-schema.js";
import { KNOWN_TYPES, webhookFeeSchema, webhookFrameSchema } from "../webhook-schema.js";

/** The bodies whose schemas depend on the deployment's providers, or are put together from several validators. */
export interface RequestSchemas {
  decision: JsonSchema;
  outcome: JsonSchema;
  conditions: JsonSchema;
  ruleAction: JsonSchema;
  rule: JsonSchema;
  policy: JsonSchema;
  draft: JsonSchema;
  simulation: JsonSchema;
  backtest: JsonSchema;
  pricing: JsonSchema;
  webhook: JsonSchema;
}

/** Of the very objects that validate. A policy is judged by parts, which are one schema here. */
export function requestSchemas(providers: readonly string[]): RequestSchemas {
  const conditions = conditionsSchema(providers);
  const ruleAction: JsonSchema = {
    oneOf: Object.entries(actionSchemas(providers)).map(([type, schema]) => ({
      ...schema,
      title: type,
      properties: { ...schema.properties, type: { const: type } },
    })),
  };
  const rule: JsonSchema = {
    ...ruleSchema,
    description:
      "rule_id, priority (position times 10) and enabled (true) are filled in where they are absent.",
    properties: { ...ruleSchema.properties, when: conditions, then: ruleAction },
  };
  const source = policySourceSchema(providers);
  const { default_provider } = source.properties;
  const rules = { ...source.properties.rules, items: rule };
  const draft: JsonSchema = {
    ...draftSchema,
    required: source.required,
    properties: { ...draftSchema.properties, default_provider, rules },
  };
  const simulation = simulationSchema(providers);
  return {
    decision: decisionRequestSchema(providers),
    outcome: outcomeReportSchema(providers),
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
    pricing: pricingBodySchema(providers),
    webhook: {
      ...webhookFrameSchema,
      description: `Types: ${KNOWN_TYPES.join(", ")}; any other is stored and answered ignored.`,
      properties: {
        ...webhookFrameSchema.properties,
        data: {
          ...webhookFrameSchema.properties.data,
          description: "Of payment.fee_assessed: a WebhookFee; what another type holds is not looked at.",
          anyOf: [webhookFeeSchema, { type: "object" }],
        },
      },
    },
  };
}
