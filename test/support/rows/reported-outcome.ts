import type { ReportedOutcome } from "../../../src/domain/outcomes/reported-outcome.js";

/** An approved payment of order_1. `fields` names its decision and replaces other fields. */
export function reportedOutcome(
  fields: Partial<ReportedOutcome> & Pick<ReportedOutcome, "decisionId">,
): ReportedOutcome {
  return {
    orderId: "order_1",
    providerUsed: "provider_1",
    outcome: "approved",
    technicalFailureType: null,
    providerLatencyMs: 1,
    providerReasonCode: null,
    amountMinor: 1,
    currency: "USD",
    createdAtMs: null,
    ...fields,
  };
}
