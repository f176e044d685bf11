import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../shared/limits.js";
import { ACTIONS, OPTIMIZATION_MODES, POLICY_STATUSES } from "../../shared/vocabulary.js";
import { merchantIdSchema } from "../decision-schema.js";
import {
  costSchema,
  decidedPolicySchema,
  economicsSchema,
  modelSchema,
  NULL,
  riskSchema,
  routeSchema,
  routeScoresSchema,
} from "./decision-response-schema.js";
import { providerEvaluationSchema } from "./decision-log-schema.js";
import { policyIssueSchema } from "./error-schema.js";
import {
  idSchema,
  pointsSchema,
  providerIdSchema,
  reasonCodeSchema,
  reasonCodesSchema,
  timestampSchema,
} from "./scalars.js";

/** contract §5 `when`; in the document its place is taken by the strict schema of the deployment's providers. */
export const storedConditionsSchema = { type: "object" } as const;

const providerList = { type: "array", items: providerIdSchema, minItems: 1 } as const;
const bps = { type: "integer", minimum: 0, maximum: 10_000 } as const;

/** contract §5 `then`, in normal form. */
export const ruleActionSchema = {
  anyOf: [
    {
      type: "object",
      additionalProperties: false,
      required: ["type"],
      properties: {
        type: { type: "string", enum: ["block", "hold", "step_up"] },
        reason_code: reasonCodeSchema,
      },
    },
    {
      type: "object",
      additionalProperties: false,
      required: ["type", "providers", "strict", "boost"],
      properties: {
        type: { const: "prefer_provider" },
        providers: providerList,
        strict: { type: "boolean" },
        boost: pointsSchema,
      },
    },
    {
      type: "object",
      additionalProperties: false,
      required: ["type", "providers"],
      properties: {
        type: { type: "string", enum: ["exclude_provider", "restrict_providers"] },
        providers: providerList,
      },
    },
    {
      type: "object",
      additionalProperties: false,
      required: ["type", "min_score"],
      properties: { type: { const: "require_min_health" }, min_score: pointsSchema, providers: providerList },
    },
    {
      type: "object",
      additionalProperties: false,
      required: ["type", "same_provider"],
      properties: { type: { const: "retry_on_timeout" }, same_provider: { type: "boolean" } },
    },
    {
      type: "object",
      additionalProperties: false,
      required: ["type", "reason_codes"],
      properties: {
        type: { const: "no_retry" },
        reason_codes: { type: "array", items: { type: "string" }, minItems: 1 },
      },
    },
    {
      type: "object",
      additionalProperties: false,
      required: ["type"],
      properties: {
        type: { const: "max_cost" },
        max_effective_bps: bps,
        max_cost_minor: { type: "integer", minimum: 0 },
      },
    },
    {
      type: "object",
      additionalProperties: false,
      required: ["type", "mode"],
      properties: {
        type: { const: "optimize_for" },
        mode: { type: "string", enum: OPTIMIZATION_MODES },
        margin_bps: bps,
        max_approval_drop_bps: bps,
      },
    },
    {
      type: "object",
      additionalProperties: false,
      required: ["type", "weights"],
      properties: {
        type: { const: "split_traffic" },
        weights: { type: "object", additionalProperties: { type: "integer", minimum: 0, maximum: 100 } },
      },
    },
  ],
} as const;

/** spec "Policy", a rule in normal form. */
export const storedRuleSchema = {
  type: "object",
  additionalProperties: false,
  required: ["rule_id", "name", "priority", "enabled", "when", "then"],
  properties: {
    rule_id: { type: "string" },
    name: { type: "string" },
    priority: { type: "integer", description: "Lower first." },
    enabled: { type: "boolean" },
    when: storedConditionsSchema,
    then: ruleActionSchema,
  },
} as const;

const policyProperties = {
  policy_id: idSchema("pol"),
  name: { type: "string", maxLength: LIMITS.policyNameCharsMax },
  status: { type: "string", enum: POLICY_STATUSES },
  version: { type: "string", pattern: "^v[0-9]+$" },
  default_provider: providerIdSchema,
  rules: { type: "array", items: storedRuleSchema, maxItems: LIMITS.rulesPerPolicyMax },
  updated_at: timestampSchema,
} as const;

/** spec GET /v1/policies/:merchantId, an item. */
export const policySchema = {
  type: "object",
  additionalProperties: false,
  required: ["policy_id", "name", "status", "version", "rules", "updated_at"],
  properties: policyProperties,
} as const;

/** spec POST /v1/policies: the full policy, with the merchant it is of. */
export const merchantPolicySchema = {
  type: "object",
  additionalProperties: false,
  required: ["policy_id", "merchant_id", "name", "status", "version", "rules", "updated_at"],
  properties: { ...policyProperties, merchant_id: merchantIdSchema },
} as const;

export const createdPolicySchema = {
  type: "object",
  additionalProperties: false,
  required: ["policy", "db_id", "warnings"],
  properties: {
    policy: merchantPolicySchema,
    db_id: { type: "string", format: "uuid" },
    warnings: { type: "array", items: policyIssueSchema },
  },
} as const;

export const publishedPolicySchema = {
  type: "object",
  additionalProperties: false,
  required: ["policy"],
  properties: { policy: merchantPolicySchema },
} as const;

export const policyListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["policies"],
  properties: {
    policies: { type: "array", items: policySchema, maxItems: LIMITS.policiesListedMax },
  },
} as const;

/** contract §5 `translate` */
export const translationSchema = {
  type: "object",
  additionalProperties: false,
  required: ["draft", "warnings", "valid"],
  properties: {
    draft: {
      anyOf: [
        {
          type: "object",
          additionalProperties: false,
          required: ["name", "rules"],
          properties: {
            name: { type: "string" },
            default_provider: providerIdSchema,
            rules: {
              type: "array",
              items: {
                ...storedRuleSchema,
                required: ["name", "when", "then"],
                properties: {
                  ...storedRuleSchema.properties,
                  then: { type: "object", required: ["type"], properties: { type: { type: "string" } } },
                },
              },
            },
          },
        },
        NULL,
      ],
      description: "null where no sentence was understood.",
    },
    warnings: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["sentence_index", "code", "message"],
        properties: {
          sentence_index: { type: "integer", minimum: 0 },
          code: { type: "string", pattern: "^[a-z0-9_]+$" },
          message: { type: "string" },
        },
      },
    },
    valid: { type: "boolean", description: "There is a draft, and strict validation takes it." },
  },
} as const;

/** spec POST /v1/policies/simulate and contract §5. */
export const simulationSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "action",
    "route",
    "risk",
    "matched_rules",
    "excluded_providers",
    "provider_evaluations",
    "route_scores",
    "reason_codes",
    "model",
    "cost",
    "economics",
    "policy",
    "rule_evaluations",
    "validation",
  ],
  properties: {
    action: { type: "string", enum: ACTIONS },
    route: { anyOf: [routeSchema, NULL] },
    risk: riskSchema,
    matched_rules: { type: "array", items: { type: "string" } },
    excluded_providers: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["provider", "exclusion_reason"],
        properties: { provider: providerIdSchema, exclusion_reason: reasonCodeSchema },
      },
    },
    provider_evaluations: { type: "array", items: providerEvaluationSchema },
    route_scores: routeScoresSchema,
    reason_codes: reasonCodesSchema,
    model: modelSchema,
    cost: { anyOf: [costSchema, NULL] },
    economics: { anyOf: [economicsSchema, NULL] },
    policy: decidedPolicySchema,
    rule_evaluations: {
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
    },
    validation: {
      type: "object",
      additionalProperties: false,
      required: ["valid", "errors", "warnings"],
      properties: {
        valid: { type: "boolean" },
        errors: { type: "array", items: policyIssueSchema },
        warnings: { type: "array", items: policyIssueSchema },
      },
    },
  },
} as const;

export type CreatedPolicyBody = FromSchema<typeof createdPolicySchema>;
export type PublishedPolicyBody = FromSchema<typeof publishedPolicySchema>;
export type PolicyListBody = FromSchema<typeof policyListSchema>;
export type TranslationBody = FromSchema<typeof translationSchema>;
export type SimulationResponseBody = FromSchema<typeof simulationSchema>;
