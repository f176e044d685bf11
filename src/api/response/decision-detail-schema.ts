import { PRICING_SOURCES } from "../../pricing/pricing-view.js";
import {
  ACTIONS,
  HEALTH_SOURCES,
  HEALTH_STATES,
  MODEL_VERSIONS,
  MODES,
  PAYMENT_METHODS,
} from "../../shared/vocabulary.js";
import {
  amountSchema,
  countrySchema,
  currencySchema,
  merchantIdSchema,
  orderIdSchema,
} from "../decision-schema.js";
import {
  decidedPolicySchema,
  decisionIdSchema,
  NULL,
  riskSchema,
  routeSchema,
  routeScoresSchema,
} from "./decision-response-schema.js";
import { storedOutcomeSchema } from "./outcome-response-schema.js";
import {
  amountMinorSchema,
  latencyMsSchema,
  pointsSchema,
  providerIdSchema,
  rateSchema,
  reasonCodeSchema,
  reasonCodesSchema,
  timestampSchema,
} from "./scalars.js";

import { reviewSchema } from "./decision-log-schema.js";

const paymentMethod = { type: "string", enum: PAYMENT_METHODS } as const;
const points = { type: "number", description: "Points of route_score." } as const;

/** spec "Decision log row (list) and detail", `provider_evaluations[]`. */
export const providerEvaluationSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "provider",
    "eligible",
    "route_score",
    "health_score",
    "health_state",
    "exclusion_reason",
    "components",
  ],
  properties: {
    provider: providerIdSchema,
    eligible: { type: "boolean" },
    route_score: pointsSchema,
    health_score: pointsSchema,
    health_state: { type: "string", enum: HEALTH_STATES },
    exclusion_reason: { ...reasonCodeSchema, type: ["string", "null"], description: "null where eligible." },
    components: {
      anyOf: [
        {
          type: "object",
          additionalProperties: false,
          required: [
            "health",
            "approval_rate",
            "latency",
            "confidence_adjustment",
            "degraded_penalty",
            "preference_boost",
          ],
          description: "The terms of route_score, and on deterministic-v2 what was weighed beside it.",
          properties: {
            health: points,
            approval_rate: points,
            latency: points,
            confidence_adjustment: points,
            degraded_penalty: points,
            preference_boost: points,
            estimated_cost_minor: amountMinorSchema,
            effective_bps: { type: "number", minimum: 0 },
            pricing_source: { type: "string", enum: PRICING_SOURCES },
            approval_probability: rateSchema,
            cost_limit_checked: {
              type: "boolean",
              description:
                "Where a max_cost rule matched: false for a provider without a real price, which was not held to it.",
            },
          },
        },
        NULL,
      ],
    },
  },
} as const;

/** spec "Decision log row (list) and detail", the detail. */
export const decisionDetailSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "decision_id",
    "merchant_id",
    "order_id",
    "created_at",
    "mode",
    "action",
    "route",
    "provider_health_source",
    "risk",
    "transaction",
    "policy",
    "model",
    "reason_codes",
    "decision_latency_ms",
    "ttl_ms",
    "provider_evaluations",
    "review",
    "outcome",
  ],
  properties: {
    decision_id: decisionIdSchema,
    merchant_id: merchantIdSchema,
    order_id: orderIdSchema,
    created_at: timestampSchema,
    mode: { type: "string", enum: MODES },
    action: { type: "string", enum: ACTIONS },
    route: { anyOf: [routeSchema, NULL] },
    provider_health_source: { type: "string", enum: HEALTH_SOURCES },
    risk: riskSchema,
    transaction: {
      type: "object",
      additionalProperties: false,
      required: ["amount", "currency", "country", "payment_method"],
      properties: {
        amount: amountSchema,
        currency: currencySchema,
        country: countrySchema,
        payment_method: paymentMethod,
      },
    },
    policy: decidedPolicySchema,
    model: {
      type: "object",
      additionalProperties: false,
      required: ["model_version", "provider_scores"],
      properties: {
        model_version: { type: "string", enum: MODEL_VERSIONS },
        provider_scores: routeScoresSchema,
      },
    },
    reason_codes: reasonCodesSchema,
    decision_latency_ms: latencyMsSchema,
    ttl_ms: { type: "integer", minimum: 0 },
    provider_evaluations: { type: "array", items: providerEvaluationSchema },
    review: { anyOf: [reviewSchema, NULL] },
    outcome: { anyOf: [storedOutcomeSchema, NULL] },
  },
} as const;
