import type { DecisionRequest } from "../../src/domain/vocabulary/decision-request.js";

/** The request as the flat record of facts that a rules engine expects, with its default filled in (COND-4). */
export function factsOf(request: DecisionRequest): Record<string, unknown> {
  const previous = request.previous_attempt;
  return {
    transaction_type: "authorization",
    ...request.transaction,
    ...request.risk_signals,
    has_previous_attempt: previous !== undefined,
    previous_provider: previous?.provider,
    previous_outcome: previous?.outcome,
    previous_reason_code: previous?.provider_reason_code,
  };
}
