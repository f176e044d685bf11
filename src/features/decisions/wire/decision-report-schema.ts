import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { RISK_BANDS } from "../../../domain/vocabulary/vocabulary.js";
import { decisionListRowSchema } from "./decision-log-schema.js";
import { economicsSchema, recordedCostSchema } from "../../../path/wire/decision-response-schema.js";
import { ruleEvaluationsSchema } from "./rule-evaluation-schema.js";
import type { Answered } from "../../../platform/wire/answered.js";
import {
  countSchema,
  decisionIdSchema,
  nullableRateSchema,
  reasonCodeSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

import {
  countsByActionSchema,
  countsByProviderSchema,
  nullableMillisecondsSchema,
  outcomeCountsSchema,
} from "../../../platform/wire/counts-schema.js";

/** AGG-1: GET /v1/decisions/aggregate */
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
    by_action: countsByActionSchema,
    by_provider: countsByProviderSchema,
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
      description: "The number of newest decisions that top_reason_codes counts.",
    },
    outcome_counts: outcomeCountsSchema,
    with_outcome: countSchema,
    approved: countSchema,
    approval_rate: nullableRateSchema,
    feedback_rate: nullableRateSchema,
    avg_latency_ms: nullableMillisecondsSchema,
    p95_latency_ms: nullableMillisecondsSchema,
    recent: { type: "array", items: decisionListRowSchema, maxItems: 8 },
    generated_at: timestampSchema,
    source: { type: "string", enum: ["cache", "live"] },
  },
} as const;

/** AGG-6: GET /v1/decisions/shadow-report */
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
  required: ["decision_id", "identical", "differences", "missing", "rule_evaluations", "cost", "economics"],
  properties: {
    decision_id: decisionIdSchema,
    identical: {
      type: ["boolean", "null"],
      description: "null if an input of the decision is not recorded.",
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
    rule_evaluations: {
      anyOf: [ruleEvaluationsSchema, { type: "null" }],
      description: "The rules of the deciding policy version; null if they cannot be known.",
    },
    cost: { anyOf: [recordedCostSchema, { type: "null" }], description: "As the detail shows it." },
    economics: { anyOf: [economicsSchema, { type: "null" }], description: "As it was answered." },
  },
} as const;

/** The aggregate without `source`, which only the cache adds. */
export type DecisionAggregate = Omit<Answered<typeof decisionAggregateSchema>, "source">;
export type ReplayBody = Answered<typeof replaySchema>;
export type ShadowReport = Answered<typeof shadowReportSchema>;
