import type { DecisionRecord } from "../../../src/path/journal/decision-record.js";
import { newId, NOW_MS } from "./decision-rows.js";

/** A decision as a decide worker writes it to the journal. The document contains `orderId` too. */
export function decisionRecord(orderId: string, changes: Partial<DecisionRecord> = {}): DecisionRecord {
  const decisionId = newId("dec", NOW_MS);
  return {
    workspaceId: "ws_01jd3vwz6c9k2m4n6p8r0s2t4v",
    decisionId,
    mode: "live",
    decisionMode: "enforce",
    action: "route",
    paymentMethod: "card",
    country: "US",
    cardNetwork: "visa",
    riskBand: "low",
    riskScore: 10,
    amountMinor: 1250,
    latencyMs: 0.25,
    merchantId: "merchant",
    orderId,
    currency: "USD",
    primaryProvider: "provider_1",
    fallbackProvider: "",
    doc: [`{"decision_id":"${decisionId}",`, `"order_id":${JSON.stringify(orderId)}}`],
    ...changes,
  };
}
