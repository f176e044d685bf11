import type { DecisionRequest, OutcomeReport } from "payinference/client";

/** The decision request that a merchant's backend passes to the client. */
export function decisionRequest(changes: Partial<DecisionRequest> = {}): DecisionRequest {
  return {
    merchant_id: "demo_merchant",
    order_id: "order_1",
    transaction: { amount: 129_900, currency: "USD", country: "US", payment_method: "card" },
    available_providers: ["provider_1", "provider_2"],
    ...changes,
  };
}

export function outcomeReport(decisionId: string): OutcomeReport {
  return {
    decision_id: decisionId,
    order_id: "order_1",
    provider_used: "provider_1",
    outcome: "approved",
    provider_latency_ms: 321,
    amount: 129_900,
    currency: "USD",
  };
}

/** RTRY-12: a decision request for one more attempt with Mastercard, after a decline with `code`. */
export function mastercardRetry(merchantId: string, orderId: string, code: string): DecisionRequest {
  return decisionRequest({
    merchant_id: merchantId,
    order_id: orderId,
    transaction: {
      amount: 5000,
      currency: "USD",
      country: "US",
      payment_method: "card",
      card_network: "mastercard",
    },
    previous_attempt: { provider: "provider_1", outcome: "declined", provider_reason_code: code },
  });
}
