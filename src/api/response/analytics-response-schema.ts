import { MODES } from "../../shared/vocabulary.js";
import { countSchema, nullableRateSchema, nullableTimestampSchema, timestampSchema } from "./scalars.js";

import {
  countsByActionSchema,
  countsByProviderSchema,
  nullableMillisecondsSchema,
  outcomeCountsSchema,
} from "./counts-schema.js";

/** contract §3 GET /v1/analytics/summary */
export const analyticsSummarySchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "range",
    "mode",
    "since",
    "total",
    "by_action",
    "by_provider",
    "outcome_counts",
    "with_outcome",
    "approved",
    "approval_rate",
    "feedback_rate",
    "avg_latency_ms",
    "p50_latency_ms",
    "p95_latency_ms",
    "p99_latency_ms",
    "series_interval",
    "series",
    "generated_at",
  ],
  properties: {
    range: { type: "string", enum: ["24h", "7d", "30d", "90d", "all"] },
    mode: { type: "string", enum: MODES },
    since: { ...nullableTimestampSchema, description: "null for all of history." },
    total: countSchema,
    by_action: countsByActionSchema,
    by_provider: countsByProviderSchema,
    outcome_counts: outcomeCountsSchema,
    with_outcome: countSchema,
    approved: countSchema,
    approval_rate: nullableRateSchema,
    feedback_rate: nullableRateSchema,
    avg_latency_ms: nullableMillisecondsSchema,
    p50_latency_ms: nullableMillisecondsSchema,
    p95_latency_ms: nullableMillisecondsSchema,
    p99_latency_ms: nullableMillisecondsSchema,
    series_interval: { type: "string", enum: ["hour", "day", "month"] },
    series: {
      type: "array",
      description: "Oldest first; steps without decisions are there too.",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["start", "total", "with_outcome", "approved", "approval_rate"],
        properties: {
          start: timestampSchema,
          total: countSchema,
          with_outcome: countSchema,
          approved: countSchema,
          approval_rate: nullableRateSchema,
        },
      },
    },
    generated_at: timestampSchema,
  },
} as const;
