import type { FromSchema } from "json-schema-to-ts";
import { HEALTH_STATES } from "../../domain/vocabulary/vocabulary.js";
import {
  countSchema,
  pointsSchema,
  providerIdSchema,
  rateSchema,
  reasonCodesSchema,
  timestampSchema,
} from "../../platform/wire/scalars.js";

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
      pattern: "^[a-z][a-z0-9_]*:[a-z_]+:[A-Z]{3}$",
      description: "<provider>:<payment_method>:<currency>",
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
