import type { Answered } from "../../../platform/wire/answered.js";
import { ACTIONS } from "../../../domain/vocabulary/vocabulary.js";
import {
  recordedCostSchema,
  decidedPolicySchema,
  economicsSchema,
  modelSchema,
  riskSchema,
  routeSchema,
  routeScoresSchema,
} from "../../../path/wire/decision-response-schema.js";
import { ruleEvaluationsSchema } from "../../decisions/wire/rule-evaluation-schema.js";
import { providerEvaluationSchema } from "../../decisions/wire/decision-detail-schema.js";
import { policyIssueSchema } from "../../../platform/wire/error-schema.js";
import {
  NULL,
  providerIdSchema,
  reasonCodeSchema,
  reasonCodesSchema,
} from "../../../platform/wire/scalars.js";

import { nullableProviderSchema, storedRuleSchema } from "./policy-response-schema.js";

/** TRANS-1: the answer of POST /v1/policies/translate. */
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
          required: ["name", "default_provider", "rules"],
          properties: {
            name: { type: "string" },
            default_provider: nullableProviderSchema,
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
      description: "null if no sentence was understood.",
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
    valid: { type: "boolean", description: "True if there is a draft and it passes strict validation." },
  },
} as const;

/** SIM-3: POST /v1/policies/simulate */
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
    cost: { anyOf: [recordedCostSchema, NULL] },
    economics: { anyOf: [economicsSchema, NULL] },
    policy: decidedPolicySchema,
    rule_evaluations: ruleEvaluationsSchema,
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

export type TranslationBody = Answered<typeof translationSchema>;
export type SimulatedBody = Answered<typeof simulationSchema>;
