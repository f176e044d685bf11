import type { DecisionRequest } from "../shared/decision-request.js";
import { decisionRequestSchema } from "./decision-schema.js";
import { createDraftBodyParser, draftSchema, type ParsedDraftBody } from "./draft-body.js";
import type { PolicyValidator } from "./policy-validator.js";

/** A body of POST /v1/policies/simulate without its draft. */
export type SimulationBody = Omit<DecisionRequest, "order_id" | "decision_mode"> & { order_id?: string };

/** spec "POST /v1/policies/simulate": the shapes of the decision request; contract §5: `order_id` may be left out. */
export function createSimulationParser(
  providers: readonly string[],
  validator: PolicyValidator,
): (text: string) => ParsedDraftBody<SimulationBody> {
  const { order_id, merchant_id, transaction, available_providers, previous_attempt, risk_signals } =
    decisionRequestSchema(providers).properties;
  return createDraftBodyParser<SimulationBody>(
    {
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
    },
    validator,
  );
}
