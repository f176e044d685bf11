import { RANGES } from "../../../domain/vocabulary/range.js";
import { DECISION_MODES, MODES } from "../../../domain/vocabulary/vocabulary.js";
import type { Answered } from "../../../platform/wire/answered.js";
import {
  countSchema,
  currencySchema,
  NULL,
  nullableRateSchema,
  nullableTimestampSchema,
  providerIdSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";
import { comparisonSchema, groupsSchema, groupStepsSchema } from "./group-response-schema.js";
import { failureClassSchema } from "../../outcomes/wire/outcome-response-schema.js";
import {
  countsByActionSchema,
  countsByProviderSchema,
  nullableMillisecondsSchema,
  outcomeCountsSchema,
} from "../../../platform/wire/counts-schema.js";

const countedSinceSchema = {
  ...nullableTimestampSchema,
  description: "The time of the first counted decisions; null for the whole history.",
} as const;

const recoveryRequired = ["with_outcome", "recovered", "recovery_rate"] as const;
const recoveryProperties = {
  with_outcome: countSchema,
  recovered: countSchema,
  recovery_rate: nullableRateSchema,
} as const;
const recoverySchema = {
  type: "object",
  additionalProperties: false,
  required: recoveryRequired,
  properties: recoveryProperties,
} as const;

export const costReportSchema = {
  type: "object",
  additionalProperties: false,
  required: ["since", "by_currency"],
  properties: {
    since: countedSinceSchema,
    by_currency: {
      type: "array",
      description: "The costs of decisions whose primary provider has real pricing; enforce before shadow.",
      items: {
        type: "object",
        additionalProperties: false,
        required: [
          "currency",
          "decision_mode",
          "decisions",
          "estimated_cost_minor",
          "saving_vs_most_expensive_minor",
          "first_offered_decisions",
          "saving_vs_first_offered_minor",
        ],
        properties: {
          currency: currencySchema,
          decision_mode: { type: "string", enum: DECISION_MODES },
          decisions: countSchema,
          estimated_cost_minor: { type: "integer", minimum: 0, description: "Minor units." },
          saving_vs_most_expensive_minor: {
            type: "integer",
            description: "Compared with always using the dearest offered provider with real pricing.",
          },
          first_offered_decisions: countSchema,
          saving_vs_first_offered_minor: {
            type: "integer",
            description:
              "Compared with always using the first offered provider; negative if that costs less.",
          },
        },
      },
    },
  },
} as const;

export const retryReportSchema = {
  type: "object",
  additionalProperties: false,
  required: ["since", "by_failure"],
  properties: {
    since: countedSinceSchema,
    by_failure: {
      type: "array",
      description: "Decisions that were requested after a failed attempt, by that failure.",
      items: {
        type: "object",
        additionalProperties: false,
        required: [
          "provider",
          "failure_class",
          "decisions",
          ...recoveryRequired,
          "same_provider",
          "other_provider",
        ],
        properties: {
          provider: providerIdSchema,
          failure_class: failureClassSchema,
          decisions: countSchema,
          ...recoveryProperties,
          same_provider: recoverySchema,
          other_provider: recoverySchema,
        },
      },
    },
  },
} as const;

const NOT_NARROWED = "null with a filter or an interval, because these figures are not counted for them.";

/** ANA-1: GET /v1/analytics/summary */
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
    "cost",
    "retries",
    "generated_at",
  ],
  properties: {
    range: {
      type: ["string", "null"],
      enum: [...RANGES, null],
      description: "null if from or to is given instead.",
    },
    mode: { type: "string", enum: MODES },
    since: {
      ...nullableTimestampSchema,
      description: "The start of the range or interval, included; null for the whole history.",
    },
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
      description:
        "Oldest first; steps without decisions are there too. Each begins with an hour, or with a day or month of time_zone; the first holds what the range holds of it.",
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
    cost: { anyOf: [costReportSchema, NULL], description: NOT_NARROWED },
    retries: { anyOf: [retryReportSchema, NULL], description: NOT_NARROWED },
    until: {
      ...nullableTimestampSchema,
      description: "Only with from or to: the end of the interval, excluded; null without an end.",
    },
    time_zone: { type: "string", description: "Only with time_zone: the zone of days and months, as asked." },
    comparison: { ...comparisonSchema, description: "Only with group_by." },
    groups: { ...groupsSchema, description: `Only with group_by. ${groupsSchema.description}` },
    group_steps: groupStepsSchema,
    groups_total: { ...countSchema, description: "Only with group_by: how many groups there are." },
    generated_at: timestampSchema,
  },
} as const;

export type AnalyticsSummary = Answered<typeof analyticsSummarySchema>;
