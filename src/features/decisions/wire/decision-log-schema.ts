import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import {
  ACTIONS,
  DECISION_MODES,
  HEALTH_SOURCES,
  MODEL_VERSIONS,
  MODES,
  PAYMENT_METHODS,
  REVIEW_RESOLUTIONS,
  RISK_BANDS,
} from "../../../domain/vocabulary/vocabulary.js";
import {
  failureClassSchema,
  nullableLatencyMsSchema,
  nullableProviderSchema,
  outcomeSchema,
} from "../../outcomes/wire/outcome-response-schema.js";
import type { Answered } from "../../../platform/wire/answered.js";
import {
  amountSchema,
  countrySchema,
  countSchema,
  currencySchema,
  decisionIdSchema,
  idSchema,
  latencyMsSchema,
  merchantIdSchema,
  NULL,
  orderIdSchema,
  providerIdSchema,
  reasonCodesSchema,
  riskScoreSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

/** REV-2: the field `review`. */
export const reviewSchema = {
  type: "object",
  additionalProperties: false,
  required: ["resolution", "note", "resolved_by", "resolved_at"],
  properties: {
    resolution: { type: "string", enum: REVIEW_RESOLUTIONS },
    note: { type: ["string", "null"], maxLength: LIMITS.reviewNoteCharsMax },
    resolved_by: idSchema("usr"),
    resolved_at: timestampSchema,
  },
} as const;

export const reviewResolutionSchema = {
  type: "object",
  additionalProperties: false,
  required: ["decision_id", "review"],
  properties: { decision_id: decisionIdSchema, review: reviewSchema },
} as const;

const matchedRules = { type: "array", items: { type: "string" } } as const;
const paymentMethod = { type: "string", enum: PAYMENT_METHODS } as const;

/** LOG-7: a row of the list. */
export const decisionListRowSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "decision_id",
    "merchant_id",
    "order_id",
    "created_at",
    "mode",
    "decision_mode",
    "action",
    "primary_provider",
    "fallback_provider",
    "amount",
    "amount_bucket",
    "currency",
    "country",
    "payment_method",
    "risk_score",
    "risk_band",
    "provider_health_source",
    "decision_latency_ms",
    "reason_codes",
    "model_version",
    "matched_rules",
    "review",
    "outcome",
  ],
  properties: {
    decision_id: decisionIdSchema,
    merchant_id: merchantIdSchema,
    order_id: orderIdSchema,
    created_at: timestampSchema,
    mode: { type: "string", enum: MODES },
    decision_mode: { type: "string", enum: DECISION_MODES },
    action: { type: "string", enum: ACTIONS },
    primary_provider: { ...providerIdSchema, type: ["string", "null"], description: "null on a block." },
    fallback_provider: { ...providerIdSchema, type: ["string", "null"] },
    amount: amountSchema,
    amount_bucket: {
      type: "string",
      enum: ["lt_1k", "1k_5k", "5k_10k", "10k_50k", "50k_100k", "100k_500k", "gte_500k"],
      description: "Minor units, lower bound included.",
    },
    currency: currencySchema,
    country: countrySchema,
    payment_method: paymentMethod,
    risk_score: riskScoreSchema,
    risk_band: { type: "string", enum: RISK_BANDS },
    provider_health_source: { type: "string", enum: HEALTH_SOURCES },
    decision_latency_ms: latencyMsSchema,
    reason_codes: reasonCodesSchema,
    model_version: { type: "string", enum: MODEL_VERSIONS },
    matched_rules: matchedRules,
    review: { anyOf: [reviewSchema, NULL] },
    outcome: {
      anyOf: [
        {
          type: "object",
          additionalProperties: false,
          required: ["outcome", "provider_used", "provider_latency_ms", "failure_class"],
          properties: {
            outcome: outcomeSchema,
            provider_used: nullableProviderSchema,
            provider_latency_ms: nullableLatencyMsSchema,
            failure_class: failureClassSchema,
          },
        },
        NULL,
      ],
    },
  },
} as const;

/** LOG-6: GET /v1/decisions */
export const decisionListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["page", "page_size", "has_more", "decisions"],
  properties: {
    page: { type: "integer", minimum: 1 },
    page_size: { type: "integer", minimum: 1, maximum: LIMITS.pageRowsMax },
    total: { ...countSchema, description: "Only without a cursor, and if no rows are left to search." },
    has_more: { type: "boolean", description: "Whether there are more rows in the direction of the walk." },
    searched_to: {
      ...decisionIdSchema,
      description:
        "Only if the page is short because the search stopped here. Used as a cursor, it continues the search.",
    },
    decisions: { type: "array", items: decisionListRowSchema, maxItems: LIMITS.pageRowsMax },
  },
} as const;

export type ReviewResolutionBody = FromSchema<typeof reviewResolutionSchema>;
export type ReviewBody = Answered<typeof reviewSchema>;
export type DecisionListRow = Answered<typeof decisionListRowSchema>;
export type DecisionList = Answered<typeof decisionListSchema>;
