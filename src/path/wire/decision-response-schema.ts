import { PRICING_SOURCES } from "../../domain/pricing/pricing-view.js";
import {
  ACTIONS,
  DECISION_MODES,
  HEALTH_SOURCES,
  HEALTH_STATES,
  MODEL_VERSIONS,
  MODES,
  OPTIMIZATION_MODES,
  RECOMMENDED_ACTIONS,
  RISK_BANDS,
} from "../../domain/vocabulary/vocabulary.js";
import {
  amountMinorSchema,
  currencySchema,
  decisionIdSchema,
  idSchema,
  latencyMsSchema,
  merchantIdSchema,
  NULL,
  pointsSchema,
  providerIdSchema,
  reasonCodesSchema,
  riskScoreSchema,
} from "../../platform/wire/scalars.js";

/** RES-1: the response and its parts. */

export const routeSchema = {
  type: "object",
  additionalProperties: false,
  required: ["primary_provider", "fallback_provider"],
  properties: {
    primary_provider: providerIdSchema,
    fallback_provider: {
      ...providerIdSchema,
      type: ["string", "null"],
      description: "A pre-approved second option.",
    },
  },
} as const;

export const riskSchema = {
  type: "object",
  additionalProperties: false,
  required: ["score", "band", "recommended_action", "reason_codes"],
  description: "Advisory: it does not change the instruction.",
  properties: {
    score: riskScoreSchema,
    band: { type: "string", enum: RISK_BANDS },
    recommended_action: { type: "string", enum: RECOMMENDED_ACTIONS },
    reason_codes: reasonCodesSchema,
  },
} as const;

export const providerHealthSchema = {
  type: "object",
  additionalProperties: false,
  required: ["score", "state", "confidence", "source"],
  properties: {
    score: pointsSchema,
    state: { type: "string", enum: HEALTH_STATES },
    confidence: pointsSchema,
    source: { type: "string", enum: HEALTH_SOURCES },
  },
} as const;

export const decidedPolicySchema = {
  type: "object",
  additionalProperties: false,
  required: ["policy_id", "policy_version", "matched_rules"],
  properties: {
    policy_id: { ...idSchema("pol"), type: ["string", "null"] },
    policy_version: { type: ["string", "null"], pattern: "^v[0-9]+$" },
    matched_rules: {
      type: "array",
      items: { type: "string" },
      description: "Rule names, in the order they were evaluated.",
    },
  },
} as const;

export const routeScoresSchema = {
  type: "object",
  additionalProperties: pointsSchema,
  description: "Provider id → score.",
} as const;

export const modelSchema = {
  type: "object",
  additionalProperties: false,
  required: ["model_version", "route_scores"],
  properties: { model_version: { type: "string", enum: MODEL_VERSIONS }, route_scores: routeScoresSchema },
} as const;

const UNPRICED = "null if pricing_source is unknown.";
export const nullableCostSchema = {
  ...amountMinorSchema,
  type: ["integer", "null"],
  description: UNPRICED,
} as const;
export const nullableBpsSchema = {
  type: ["number", "null"],
  minimum: 0,
  description: `Basis points of the amount; ${UNPRICED}`,
} as const;

export const costSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "estimated_cost_minor",
    "effective_bps",
    "currency",
    "pricing_source",
    "confidence_score",
    "reason_codes",
  ],
  properties: {
    estimated_cost_minor: amountMinorSchema,
    effective_bps: { type: "number", minimum: 0, description: "Basis points of the amount." },
    currency: currencySchema,
    pricing_source: {
      type: "string",
      enum: PRICING_SOURCES,
      description: "estimated_fallback and unknown are never real pricing.",
    },
    confidence_score: pointsSchema,
    reason_codes: reasonCodesSchema,
  },
} as const;

/** COST-19: the `cost` on reads. It is null, and never 0, if the provider has no price. */
export const recordedCostSchema = {
  ...costSchema,
  properties: {
    ...costSchema.properties,
    estimated_cost_minor: nullableCostSchema,
    effective_bps: nullableBpsSchema,
  },
} as const;

export const economicsSchema = {
  type: "object",
  additionalProperties: false,
  required: ["expected_value_minor", "model_version", "optimization_mode"],
  properties: {
    expected_value_minor: { type: "number", description: "Minor units, two decimals." },
    model_version: { const: "deterministic-v2" },
    optimization_mode: { type: "string", enum: OPTIMIZATION_MODES },
  },
} as const;

export const decisionResponseSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "decision_id",
    "merchant_id",
    "mode",
    "decision_mode",
    "action",
    "route",
    "risk",
    "provider_health",
    "policy",
    "model",
    "cost",
    "economics",
    "reason_codes",
    "decision_latency_ms",
    "ttl_ms",
  ],
  properties: {
    decision_id: decisionIdSchema,
    merchant_id: merchantIdSchema,
    mode: { type: "string", enum: MODES },
    decision_mode: { type: "string", enum: DECISION_MODES },
    action: { type: "string", enum: ACTIONS },
    route: { anyOf: [routeSchema, NULL], description: "null when action is block." },
    risk: riskSchema,
    provider_health: {
      type: "object",
      additionalProperties: providerHealthSchema,
      description: "Keyed by provider; the offered ones only.",
    },
    policy: decidedPolicySchema,
    model: modelSchema,
    cost: { anyOf: [costSchema, NULL], description: "null on deterministic-v1 and on a block." },
    economics: { anyOf: [economicsSchema, NULL], description: "null on deterministic-v1 and on a block." },
    reason_codes: reasonCodesSchema,
    decision_latency_ms: latencyMsSchema,
    ttl_ms: {
      type: "integer",
      minimum: 1,
      description: "Request a new decision after it elapses.",
    },
  },
} as const;
