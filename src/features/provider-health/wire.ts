import type { FromSchema } from "json-schema-to-ts";
import { nullableMillisecondsSchema } from "../../platform/wire/counts-schema.js";
import { BLAMES, HEALTH_STATES } from "../../domain/vocabulary/vocabulary.js";
import {
  countSchema,
  nullableRateSchema,
  pointsSchema,
  providerIdSchema,
  rateSchema,
  reasonCodesSchema,
  timestampSchema,
} from "../../platform/wire/scalars.js";

/** An outcome counts less as it ages, so a count has a fraction. */
const weightedSchema = { type: "number", minimum: 0 } as const;

/** HLTH-33: the measurements of a segment from one source. */
const measuredSchema = {
  type: "object",
  additionalProperties: false,
  required: ["n", "approval_rate", "technical_rate", "p95_latency_ms"],
  properties: {
    n: weightedSchema,
    approval_rate: nullableRateSchema,
    technical_rate: nullableRateSchema,
    p95_latency_ms: nullableMillisecondsSchema,
  },
} as const;

/** HLTH-2: the health of one segment. */
export const healthSnapshotSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "provider",
    "segment_key",
    "score",
    "state",
    "confidence",
    "p95_latency_ms",
    "timeout_rate",
    "error_5xx_rate",
    "throttle_429_rate",
    "approval_rate",
    "approval_rate_baseline",
    "webhook_lag_seconds",
    "sample_size",
    "window_seconds",
    "reason_codes",
    "updated_at",
  ],
  properties: {
    provider: providerIdSchema,
    segment_key: {
      type: "string",
      pattern: "^[a-z][a-z0-9_]*:[a-z_]+:[A-Z]{3}(:[A-Z]{2}(:[a-z]+)?)?$",
      description:
        "<provider>:<payment_method>:<currency>; of a deeper level then :<country> and :<card_network>.",
    },
    score: pointsSchema,
    state: { type: "string", enum: HEALTH_STATES },
    confidence: pointsSchema,
    p95_latency_ms: { type: "number", minimum: 0 },
    timeout_rate: rateSchema,
    error_5xx_rate: rateSchema,
    throttle_429_rate: rateSchema,
    approval_rate: rateSchema,
    approval_rate_baseline: rateSchema,
    webhook_lag_seconds: { type: "number", minimum: 0 },
    sample_size: countSchema,
    window_seconds: { type: "integer", minimum: 1 },
    reason_codes: reasonCodesSchema,
    updated_at: timestampSchema,
    live: {
      ...measuredSchema,
      description: "With detail=segments: the figures from the workspace's own outcomes.",
    },
    probe: {
      ...measuredSchema,
      type: ["object", "null"],
      description: "With detail=segments: the figures from probes. Null without probes.",
    },
    n: {
      ...weightedSchema,
      description: "With detail=segments: approvals, and declines that count against the provider.",
    },
    rate: { ...nullableRateSchema, description: "With detail=segments: (x + 50·parent_rate) / (n + 50)." },
    parent_rate: {
      ...nullableRateSchema,
      description: "With detail=segments: the expected rate without the level's own outcomes.",
    },
    blame: {
      type: "object",
      additionalProperties: false,
      required: BLAMES,
      properties: { provider: weightedSchema, customer: weightedSchema, issuer: weightedSchema },
      description: "With detail=segments: the declines by the party to blame.",
    },
  },
} as const;

/** HLTH-1: GET /v1/provider-health */
export const providerHealthListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["providers"],
  properties: { providers: { type: "array", items: healthSnapshotSchema } },
} as const;

export type ProviderHealthListBody = FromSchema<typeof providerHealthListSchema>;

/** `detail` of GET /v1/provider-health. */
export const detailParameter = { type: "string", enum: ["segments"] } as const;
