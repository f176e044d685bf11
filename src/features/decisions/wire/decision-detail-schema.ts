import { PRICING_SOURCES } from "../../../domain/pricing/pricing-view.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import {
  ACTIONS,
  DECISION_MODES,
  HEALTH_SOURCES,
  HEALTH_STATES,
  MODEL_VERSIONS,
  MODES,
  PAYMENT_METHODS,
  PREVIOUS_OUTCOMES,
  RETRY_VERDICTS,
} from "../../../domain/vocabulary/vocabulary.js";
import { riskSignalsSchema, transactionSchema } from "../../../path/wire/decision-schema.js";
import {
  decidedPolicySchema,
  economicsSchema,
  nullableBpsSchema,
  nullableCostSchema,
  recordedCostSchema,
  riskSchema,
  routeSchema,
  routeScoresSchema,
} from "../../../path/wire/decision-response-schema.js";
import { storedOutcomeSchema } from "../../outcomes/wire/outcome-response-schema.js";
import type { Answered } from "../../../platform/wire/answered.js";
import {
  amountSchema,
  countrySchema,
  countSchema,
  currencySchema,
  decisionIdSchema,
  latencyMsSchema,
  merchantIdSchema,
  NULL,
  nullableTimestampSchema,
  orderIdSchema,
  pointsSchema,
  providerIdSchema,
  rateSchema,
  reasonCodeSchema,
  reasonCodesSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

import { SCORE_TERMS } from "../../../domain/decision/score-terms.js";
import { tableOf } from "../../../domain/vocabulary/table-of.js";
import { retryRuleSchema } from "../../retry-rules/wire.js";
import { reviewSchema } from "./decision-log-schema.js";
import { explainedRuleSchema } from "./rule-evaluation-schema.js";

const paymentMethod = { type: "string", enum: PAYMENT_METHODS } as const;
const SCORE_TERM_NAMES = SCORE_TERMS.map(({ name }) => name);
const points = { type: "number", description: "Points of route_score." } as const;

/** LOG-14: one item of `provider_evaluations[]`. */
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
    exclusion_reason: {
      ...reasonCodeSchema,
      type: ["string", "null"],
      description: "null if the provider is eligible.",
    },
    cost_limit_checked: {
      type: "boolean",
      description:
        "Present if a max_cost rule matched: true if the provider's price was compared with the limit, false if no real price is known.",
    },
    components: {
      anyOf: [
        {
          type: "object",
          additionalProperties: false,
          required: SCORE_TERM_NAMES,
          description: "The terms of route_score, and on deterministic-v2 what was weighed beside it.",
          properties: {
            ...tableOf(SCORE_TERM_NAMES, () => points),
            estimated_cost_minor: nullableCostSchema,
            effective_bps: nullableBpsSchema,
            pricing_source: { type: "string", enum: PRICING_SOURCES },
            approval_probability: rateSchema,
          },
        },
        NULL,
      ],
    },
  },
} as const;

/** The decision's request as it was sent. Its providers need not be configured any more. */
export const storedRequestSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant_id", "order_id", "transaction", "available_providers"],
  description: "As it was sent: what the service fills in by default is not added.",
  properties: {
    merchant_id: merchantIdSchema,
    order_id: orderIdSchema,
    transaction: transactionSchema,
    available_providers: { type: "array", items: providerIdSchema, minItems: 1, uniqueItems: true },
    previous_attempt: {
      type: "object",
      additionalProperties: false,
      required: ["provider", "outcome"],
      properties: {
        provider: providerIdSchema,
        outcome: { type: "string", enum: PREVIOUS_OUTCOMES },
        provider_reason_code: { type: "string", maxLength: LIMITS.providerReasonCodeCharsMax },
      },
    },
    risk_signals: riskSignalsSchema,
    decision_mode: { type: "string", enum: DECISION_MODES },
  },
} as const;

/** RTRY-18: the rules of the schemes on retries, with their inputs and results. */
export const decisionRetrySchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "counted_by",
    "attempts_24h",
    "attempts_30d",
    "max_attempts_24h",
    "min_expected_gain_minor",
    "verdict",
    "expected_gain",
    "not_before",
    "rule",
    "rules_version",
  ],
  properties: {
    counted_by: { type: "string", enum: ["order"], description: "How earlier attempts were counted." },
    attempts_24h: { ...countSchema, description: "Earlier attempts, without the decision's own." },
    attempts_30d: countSchema,
    max_attempts_24h: {
      type: ["integer", "null"],
      minimum: 1,
      description: "The matched rule's own limit, in addition to the scheme's.",
    },
    verdict: {
      type: ["string", "null"],
      enum: [...RETRY_VERDICTS, null],
      description: "null if no retry_within_scheme_rules rule matched.",
    },
    min_expected_gain_minor: {
      type: ["integer", "null"],
      minimum: 0,
      description: "The least gain that the matched rule requires of a retry.",
    },
    expected_gain: {
      type: ["object", "null"],
      additionalProperties: false,
      required: ["provider", "recovery_probability", "expected_minor"],
      properties: {
        provider: providerIdSchema,
        recovery_probability: {
          ...rateSchema,
          description: "The probability that the retry is approved, 0..1.",
        },
        expected_minor: { type: "number", description: "Minor units, less the cost." },
      },
      description: "The expected gain of the retry. null if the rule requires no gain.",
    },
    not_before: { ...nullableTimestampSchema, description: "Present if the retry was too early." },
    rule: { anyOf: [retryRuleSchema, NULL], description: "The row that gave the verdict." },
    rules_version: { type: "integer", minimum: 1, description: "The version of the schemes' table." },
  },
} as const;

/** LOG-11: the detail of a decision. */
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
    "cost",
    "economics",
    "request",
    "risk_block_threshold",
    "rule_evaluations",
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
    cost: { anyOf: [recordedCostSchema, NULL], description: "null on deterministic-v1 and on a block." },
    economics: { anyOf: [economicsSchema, NULL], description: "null on deterministic-v1 and on a block." },
    request: storedRequestSchema,
    risk_block_threshold: {
      type: ["integer", "null"],
      minimum: 0,
      maximum: 100,
      description: "The threshold at the time of the decision; null if it is not recorded.",
    },
    rule_evaluations: {
      anyOf: [
        {
          type: "array",
          items: explainedRuleSchema,
          description:
            "Every enabled rule of the policy version that decided, in the order they are evaluated.",
        },
        NULL,
      ],
      description: "null if the inputs of the rules are not recorded.",
    },
    retry: decisionRetrySchema,
  },
} as const;

export type DecisionRetry = Answered<typeof decisionRetrySchema>;
export type DecisionDetail = Answered<typeof decisionDetailSchema>;
