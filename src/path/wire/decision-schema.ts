import type { FromSchema } from "json-schema-to-ts";
import type { DecisionRequest } from "../../domain/vocabulary/decision-request.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import {
  CARD_NETWORKS,
  CUSTOMER_TYPES,
  DECISION_MODES,
  PAYMENT_METHODS,
  PREVIOUS_OUTCOMES,
  REPORTED_RISK_BANDS,
  TRANSACTION_TYPES,
} from "../../domain/vocabulary/vocabulary.js";
import { createValidator, FORMATS, type Validator } from "../../platform/wire/body-validator.js";
import {
  amountSchema,
  countrySchema,
  currencySchema,
  merchantIdSchema,
  orderIdSchema,
} from "../../platform/wire/scalars.js";
import { compileFastReader } from "../../platform/wire/fast-reader.js";

const count = { type: "integer", minimum: 0, maximum: LIMITS.countMax } as const;
const score = { type: "integer", minimum: 0, maximum: 100 } as const;

/** REQ-5, `transaction`. */
export const transactionSchema = {
  type: "object",
  additionalProperties: false,
  required: ["amount", "currency", "country", "payment_method"],
  properties: {
    amount: amountSchema,
    currency: currencySchema,
    country: countrySchema,
    payment_method: { type: "string", enum: PAYMENT_METHODS },
    card_network: { type: "string", enum: CARD_NETWORKS },
    transaction_type: { type: "string", enum: TRANSACTION_TYPES },
    customer_type: { type: "string", enum: CUSTOMER_TYPES },
    risk_level: { type: "string", enum: REPORTED_RISK_BANDS },
    risk_score: score,
  },
} as const;

/** `risk_signals`: REQ-15 to REQ-20. */
export const riskSignalsSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    velocity_count_10m: count,
    velocity_count_1h: count,
    velocity_amount_1h: count,
    previous_success_count: count,
    previous_decline_count: count,
    order_age_seconds: count,
    device_risk_band: { type: "string", enum: REPORTED_RISK_BANDS },
    ip_country_match: { type: "boolean" },
    merchant_supplied_risk_score: score,
  },
} as const;

/** REQ-1. The provider ids are a setting of the deployment, so each process builds its own schema. */
export function decisionRequestSchema(providers: readonly string[]) {
  const provider = { type: "string", enum: providers } as const;
  return {
    type: "object",
    additionalProperties: false,
    required: ["merchant_id", "order_id", "transaction", "available_providers"],
    properties: {
      merchant_id: merchantIdSchema,
      order_id: orderIdSchema,
      transaction: transactionSchema,
      available_providers: { type: "array", items: provider, minItems: 1, uniqueItems: true },
      previous_attempt: {
        type: "object",
        additionalProperties: false,
        required: ["provider", "outcome"],
        properties: {
          provider,
          outcome: { type: "string", enum: PREVIOUS_OUTCOMES },
          provider_reason_code: { type: "string", maxLength: LIMITS.providerReasonCodeCharsMax },
        },
      },
      risk_signals: riskSignalsSchema,
      decision_mode: { type: "string", enum: DECISION_MODES },
    },
  } as const;
}

export type DecisionRequestBody = FromSchema<ReturnType<typeof decisionRequestSchema>>;

/** Fails to compile if the schema accepts a body that the engine's type does not allow. */
type SchemaMatchesEngine = DecisionRequestBody extends DecisionRequest ? true : never;
const schemaMatchesEngine: SchemaMatchesEngine = true;

export function createDecisionValidator(providers: readonly string[]): Validator<DecisionRequest> {
  void schemaMatchesEngine;
  const schema = decisionRequestSchema(providers);
  return createValidator<DecisionRequest>(schema, { read: compileFastReader(schema, FORMATS) });
}
