import { LIMITS } from "../../shared/limits.js";
import { ACTIONS, MODES, OUTCOMES, RISK_BANDS } from "../../shared/vocabulary.js";
import { decisionListRowSchema } from "./decision-log-schema.js";
import { decisionIdSchema } from "./decision-response-schema.js";
import {
  countSchema,
  nullableRateSchema,
  nullableTimestampSchema,
  providerIdSchema,
  reasonCodeSchema,
  timestampSchema,
} from "./scalars.js";

const nullableLatency = { type: ["number", "null"], minimum: 0 } as const;

const byAction = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["action", "count"],
    properties: { action: { type: "string", enum: ACTIONS }, count: countSchema },
  },
} as const;

const byProvider = {
  type: "array",
  description: "By primary provider; a block has none.",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["provider", "count"],
    properties: { provider: providerIdSchema, count: countSchema },
  },
} as const;

const outcomeCounts = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["outcome", "count"],
    properties: { outcome: { type: "string", enum: OUTCOMES }, count: countSchema },
  },
} as const;

/** spec GET /v1/decisions/aggregate */
export const decisionAggregateSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "total",
    "by_action",
    "by_provider",
    "by_risk_band",
    "top_reason_codes",
    "reason_code_sample",
    "outcome_counts",
    "with_outcome",
    "approved",
    "approval_rate",
    "feedback_rate",
    "avg_latency_ms",
    "p95_latency_ms",
    "recent",
    "generated_at",
    "source",
  ],
  properties: {
    total: countSchema,
    by_action: byAction,
    by_provider: byProvider,
    by_risk_band: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["band", "count"],
        properties: { band: { type: "string", enum: RISK_BANDS }, count: countSchema },
      },
    },
    top_reason_codes: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["code", "count"],
        properties: { code: reasonCodeSchema, count: countSchema },
      },
    },
    reason_code_sample: {
      ...countSchema,
      description: "How many of the newest decisions top_reason_codes looked at.",
    },
    outcome_counts: outcomeCounts,
    with_outcome: countSchema,
    approved: countSchema,
    approval_rate: nullableRateSchema,
    feedback_rate: nullableRateSchema,
    avg_latency_ms: nullableLatency,
    p95_latency_ms: nullableLatency,
    recent: { type: "array", items: decisionListRowSchema, maxItems: 8 },
    generated_at: timestampSchema,
    source: { type: "string", enum: ["cache", "live"] },
  },
} as const;

/** spec GET /v1/decisions/shadow-report */
export const shadowReportSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "window_days",
    "since",
    "total_shadow_decisions",
    "decisions_with_outcome",
    "truncated",
    "actions",
    "route_comparison",
  ],
  properties: {
    window_days: { type: "integer", minimum: 1, maximum: LIMITS.shadowReportDaysMax },
    since: timestampSchema,
    total_shadow_decisions: countSchema,
    decisions_with_outcome: countSchema,
    truncated: { type: "boolean" },
    actions: {
      type: "object",
      additionalProperties: false,
      description: "The instructions that occurred.",
      properties: {
        route: countSchema,
        use_default_route: countSchema,
        step_up: countSchema,
        hold: countSchema,
        retry: countSchema,
        failover: countSchema,
        block: countSchema,
      },
    },
    route_comparison: {
      type: "object",
      additionalProperties: false,
      required: [
        "comparable",
        "merchant_used_recommended",
        "merchant_used_fallback",
        "merchant_diverged",
        "agreement_rate",
        "approval_rate_when_followed",
        "approval_rate_when_diverged",
      ],
      properties: {
        comparable: countSchema,
        merchant_used_recommended: countSchema,
        merchant_used_fallback: countSchema,
        merchant_diverged: countSchema,
        agreement_rate: nullableRateSchema,
        approval_rate_when_followed: nullableRateSchema,
        approval_rate_when_diverged: nullableRateSchema,
      },
    },
  },
} as const;

/** POST /v1/decisions/:decisionId/replay */
export const replaySchema = {
  type: "object",
  additionalProperties: false,
  required: ["decision_id", "identical", "differences", "missing"],
  properties: {
    decision_id: decisionIdSchema,
    identical: {
      type: ["boolean", "null"],
      description: "null where something that the decision saw is not recorded.",
    },
    differences: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["path", "recorded", "replayed"],
        properties: { path: { type: "string" }, recorded: {}, replayed: {} },
      },
    },
    missing: { type: "array", items: { type: "string", enum: ["policy", "health", "settings"] } },
  },
} as const;

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
    by_action: byAction,
    by_provider: byProvider,
    outcome_counts: outcomeCounts,
    with_outcome: countSchema,
    approved: countSchema,
    approval_rate: nullableRateSchema,
    feedback_rate: nullableRateSchema,
    avg_latency_ms: nullableLatency,
    p50_latency_ms: nullableLatency,
    p95_latency_ms: nullableLatency,
    p99_latency_ms: nullableLatency,
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
