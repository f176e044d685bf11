import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { OPTIMIZATION_MODES, POLICY_STATUSES } from "../../../domain/vocabulary/vocabulary.js";
import { policyIssueSchema } from "../../../platform/wire/error-schema.js";
import {
  idSchema,
  merchantIdSchema,
  pointsSchema,
  providerIdSchema,
  reasonCodeSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

/** COND-1: `when`; in the document its place is taken by the strict schema of the deployment's providers. */
export const storedConditionsSchema = { type: "object" } as const;

const providerList = { type: "array", items: providerIdSchema, minItems: 1 } as const;
const bps = { type: "integer", minimum: 0, maximum: 10_000 } as const;

/** POL-3: null where there is none. */
export const nullableProviderSchema = { ...providerIdSchema, type: ["string", "null"] } as const;

/** RULE-10: `then`, in normal form. */
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

/** POL-4, a rule in normal form. */
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
  default_provider: nullableProviderSchema,
  rules: { type: "array", items: storedRuleSchema, maxItems: LIMITS.rulesPerPolicyMax },
  updated_at: timestampSchema,
} as const;

/** POL-16: GET /v1/policies/:merchantId, an item. */
export const policySchema = {
  type: "object",
  additionalProperties: false,
  required: ["policy_id", "name", "status", "version", "default_provider", "rules", "updated_at"],
  properties: policyProperties,
} as const;

/** POL-2: POST /v1/policies: the full policy, with the merchant it is of. */
export const merchantPolicySchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "policy_id",
    "merchant_id",
    "name",
    "status",
    "version",
    "default_provider",
    "rules",
    "updated_at",
  ],
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
    policies: {
      type: "array",
      items: policySchema,
      maxItems: LIMITS.policiesListedMax + 1,
      description: "The newest, and the live one where it is older.",
    },
  },
} as const;

export type CreatedPolicyBody = FromSchema<typeof createdPolicySchema>;
export type PublishedPolicyBody = FromSchema<typeof publishedPolicySchema>;
