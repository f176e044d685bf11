import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { OUTCOME_ALIASES, OUTCOMES, TECHNICAL_FAILURE_TYPES } from "../../../domain/vocabulary/vocabulary.js";
import { createValidator, type JsonSchema, type Validator } from "../../../platform/wire/body-validator.js";
import { amountSchema, currencySchema, orderIdSchema } from "../../../platform/wire/scalars.js";

/** OUT-1 and OUT-2. A malformed decision id is answered 404, not 400. */
function outcomeReportSchema(providers: readonly string[]) {
  return {
    type: "object",
    additionalProperties: false,
    required: [
      "decision_id",
      "order_id",
      "provider_used",
      "outcome",
      "provider_latency_ms",
      "amount",
      "currency",
    ],
    properties: {
      decision_id: { type: "string", minLength: 1, maxLength: LIMITS.decisionIdCharsMax },
      order_id: orderIdSchema,
      provider_used: { type: "string", enum: providers },
      outcome: { type: "string", enum: [...OUTCOMES, ...OUTCOME_ALIASES] },
      provider_latency_ms: { type: "integer", minimum: 0, maximum: LIMITS.providerLatencyMsMax },
      provider_reason_code: { type: "string", maxLength: LIMITS.providerReasonCodeCharsMax },
      technical_failure_type: { type: "string", enum: TECHNICAL_FAILURE_TYPES },
      amount: amountSchema,
      currency: currencySchema,
      created_at: { type: "string", format: "iso-8601" },
    },
  } as const;
}

/** `outcomeReportSchema` for the API's document. The description adds the check that only the route makes. */
export function documentedOutcomeReport(providers: readonly string[]): JsonSchema {
  return { ...outcomeReportSchema(providers), description: "order_id is that of the decision." };
}

export type OutcomeReportBody = FromSchema<ReturnType<typeof outcomeReportSchema>>;

export function createOutcomeValidator(providers: readonly string[]): Validator<OutcomeReportBody> {
  const validator = createValidator<OutcomeReportBody>(outcomeReportSchema(providers));
  // Compiles the validator now, so that the first report does not wait for it.
  validator.check(undefined, "");
  return validator;
}
