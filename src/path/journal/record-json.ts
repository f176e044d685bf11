import { idFromHex } from "../../domain/ids/ids.js";
import {
  CARD_NETWORKS,
  DECISION_MODES,
  ACTIONS,
  MODES,
  PAYMENT_METHODS,
  RISK_BANDS,
} from "../../domain/vocabulary/vocabulary.js";
import { decodeBatch, noRecords } from "./batch-codec.js";
import type { CostRecordView } from "./cost-record.js";
import type { DecisionRecordView } from "./decision-record.js";

/** Converts a journal entry of one record to JSON that a person can read. Null if this build cannot read the entry. */
export function journalEntryAsJson(entry: Buffer): Record<string, unknown> | null {
  const records = noRecords();
  try {
    decodeBatch(entry, records);
    const [decision] = records.decisions;
    const [group] = records.healthGroups;
    return {
      ...(decision === undefined ? {} : { decision: decisionAsJson(decision) }),
      ...listed("costs", records.costs.map(costAsJson)),
      ...listed("retries", records.retries),
      ...listed("outcomes", records.outcomes),
      ...(group === undefined
        ? {}
        : {
            health_group: { hash: group.hash.toString("hex"), content: JSON.parse(group.content.toString()) },
          }),
    };
  } catch {
    // The entry is from another build or is damaged. The caller then shows its bytes.
    return null;
  }
}

function listed(name: string, values: readonly unknown[]): Record<string, unknown> {
  return values.length === 0 ? {} : { [name]: values };
}

function decisionAsJson(view: DecisionRecordView): Record<string, unknown> {
  return {
    workspace_id: idFromHex("ws", view.workspaceId.toString("hex")),
    decision_id: idFromHex("dec", view.decisionId.toString("hex")),
    mode: MODES[view.mode],
    decision_mode: DECISION_MODES[view.decisionMode],
    action: ACTIONS[view.action],
    payment_method: PAYMENT_METHODS[view.paymentMethod],
    country: view.country.toString(),
    card_network: view.cardNetwork === null ? null : CARD_NETWORKS[view.cardNetwork],
    risk_band: RISK_BANDS[view.riskBand],
    risk_score: view.riskScore,
    amount_minor: view.amountMinor,
    latency_ms: view.latencyMs,
    merchant_id: view.merchantId.toString(),
    order_id: view.orderId.toString(),
    currency: view.currency.toString(),
    primary_provider: view.primaryProvider.toString() || null,
    fallback_provider: view.fallbackProvider.toString() || null,
    document: JSON.parse(view.doc.toString()),
  };
}

function costAsJson({ costMinor, dearestMinor, firstMinor }: CostRecordView): Record<string, unknown> {
  return { cost_minor: costMinor, dearest_minor: dearestMinor, first_minor: firstMinor };
}
