import type { FromSchema } from "json-schema-to-ts";
import { OUTCOMES, TECHNICAL_FAILURE_TYPES } from "../../../domain/vocabulary/vocabulary.js";
import type { Answered } from "../../../platform/wire/answered.js";
import {
  decisionIdSchema,
  idSchema,
  providerIdSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

/** The failure classes of OUT-4. */
export const failureClassSchema = {
  type: "string",
  enum: [
    "none",
    "soft_decline",
    "hard_decline",
    "technical",
    "timeout",
    "rate_limit",
    "policy_block",
    "authentication_failed",
  ],
} as const;

export const outcomeSchema = { type: "string", enum: OUTCOMES } as const;

const technicalFailureTypeSchema = {
  type: ["string", "null"],
  enum: [...TECHNICAL_FAILURE_TYPES, null],
} as const;

export const nullableLatencyMsSchema = { type: ["integer", "null"], minimum: 0 } as const;

export const nullableProviderSchema = {
  ...providerIdSchema,
  type: ["string", "null"],
  description: "null for the outcome of a rejected review.",
} as const;

/** OUT-8: the fields of the response. */
export const outcomeReceiptSchema = {
  type: "object",
  additionalProperties: false,
  required: ["outcome_id", "decision_id", "outcome", "failure_class", "technical_failure_type", "approved"],
  properties: {
    outcome_id: idSchema("out"),
    decision_id: decisionIdSchema,
    outcome: outcomeSchema,
    failure_class: failureClassSchema,
    technical_failure_type: technicalFailureTypeSchema,
    approved: { type: "boolean", description: "true only for approved." },
  },
} as const;

/** OUT-13: the stored outcome, as reads of a decision show it. */
export const storedOutcomeSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "outcome",
    "provider_used",
    "provider_latency_ms",
    "provider_reason_code",
    "failure_class",
    "technical_failure_type",
    "approved",
    "reported_at",
  ],
  properties: {
    outcome: outcomeSchema,
    provider_used: nullableProviderSchema,
    provider_latency_ms: nullableLatencyMsSchema,
    provider_reason_code: { type: ["string", "null"] },
    failure_class: failureClassSchema,
    technical_failure_type: technicalFailureTypeSchema,
    approved: { type: "boolean" },
    reported_at: timestampSchema,
    created_at: { ...timestampSchema, description: "As reported; absent if none was reported." },
  },
} as const;

export type OutcomeReceiptBody = FromSchema<typeof outcomeReceiptSchema>;
export type StoredOutcomeBody = Answered<typeof storedOutcomeSchema>;
