import { backtestSchema } from "../../policies/wire/backtest-schema.js";
import type { JsonSchema } from "../../../platform/wire/body-validator.js";
import { decisionRequestSchema } from "../../../path/wire/decision-schema.js";
import { outcomeReportSchema } from "../../outcomes/wire/outcome-schema.js";
import { pricingBodySchema } from "../../pricing/wire/pricing-schema.js";
import { simulationSchema } from "../../policies/wire/simulation-schema.js";
import { policyBodySchemas, type PolicyBodySchemas } from "../../policies/wire/policy-body-schemas.js";
import { webhookBodySchema } from "../../webhooks/wire/webhook-body-schema.js";

/** The bodies whose schemas depend on the deployment's providers, or are put together from several validators. */
export interface RequestSchemas extends PolicyBodySchemas {
  decision: JsonSchema;
  outcome: JsonSchema;
  simulation: JsonSchema;
  backtest: JsonSchema;
  pricing: JsonSchema;
  webhook: JsonSchema;
}

/** Of the very objects that validate. */
export function requestSchemas(providers: readonly string[]): RequestSchemas {
  const policies = policyBodySchemas(providers);
  const simulation = simulationSchema(providers);
  return {
    ...policies,
    decision: decisionRequestSchema(providers),
    outcome: {
      ...outcomeReportSchema(providers),
      description: "order_id is that of the decision.",
    },
    simulation: { ...simulation, properties: { ...simulation.properties, policy: policies.draft } },
    backtest: { ...backtestSchema, properties: { ...backtestSchema.properties, policy: policies.draft } },
    pricing: pricingSchema(providers),
    webhook: webhookBodySchema,
  };
}

/** PRICE-2: a price has at most two decimals (domain/pricing/check-rules.ts). */
const TWO_DECIMALS = {
  multipleOf: 0.01,
  description:
    "At most two decimals. A validator that divides binary fractions needs a tolerance to see that of 1.1.",
};

function pricingSchema(providers: readonly string[]): JsonSchema {
  const body = pricingBodySchema(providers);
  const rule = body.properties.rules.items;
  const { tiers } = rule.properties;
  return {
    ...body,
    description: "effective_to is after effective_from. No two rules give one segment different prices.",
    properties: {
      ...body.properties,
      rules: {
        ...body.properties.rules,
        items: {
          ...rule,
          description: "max_fee_minor is not below min_fee_minor. Tiers begin at different amounts.",
          properties: {
            ...rule.properties,
            percentage_bps: { ...rule.properties.percentage_bps, ...TWO_DECIMALS },
            tiers: {
              ...tiers,
              items: {
                ...tiers.items,
                properties: {
                  ...tiers.items.properties,
                  percentage_bps: { ...tiers.items.properties.percentage_bps, ...TWO_DECIMALS },
                },
              },
            },
          },
        },
      },
    },
  };
}
