import type { FromSchema } from "json-schema-to-ts";
import { decisionRequestSchema } from "../../../path/wire/decision-schema.js";
import { createDraftBodyParser, draftSchema, type ParsedDraftBody } from "./draft-body.js";
import type { PolicyValidator } from "./policy-validator.js";

/** SIM-1: uses the shapes of the decision request. SIM-6: `order_id` may be left out. */
export function simulationSchema(providers: readonly string[]) {
  const { order_id, merchant_id, transaction, available_providers, previous_attempt, risk_signals } =
    decisionRequestSchema(providers).properties;
  return {
    type: "object",
    additionalProperties: false,
    required: ["merchant_id", "transaction", "available_providers"],
    properties: {
      merchant_id,
      order_id,
      policy: draftSchema,
      transaction,
      available_providers,
      previous_attempt,
      risk_signals,
    },
  } as const;
}

/** A body of POST /v1/policies/simulate without its draft. */
export type SimulationBody = Omit<FromSchema<ReturnType<typeof simulationSchema>>, "policy">;

export function createSimulationParser(
  providers: readonly string[],
  validator: PolicyValidator,
): (text: string) => ParsedDraftBody<SimulationBody> {
  return createDraftBodyParser<SimulationBody>(simulationSchema(providers), validator);
}
