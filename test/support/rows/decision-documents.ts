import { ACTIONS, DECISION_MODES, MODES, RISK_BANDS } from "../../../src/domain/vocabulary/vocabulary.js";
import type { RecordedDecision } from "../../../src/domain/decision/recorded-decision.js";
import type { TextRow } from "./decision-rows.js";

/** The name of health that is not stored, so nothing can be replayed on it. */
const HEALTH_NOWHERE = Buffer.alloc(16).toString("base64url");

/**
 * Returns the row with a document in the form that a decide worker writes. What the row does not say is made up, for
 * example the rules.
 */
export function withDocument(row: TextRow, reasonCodes: readonly string[] = ["RISK_ACCEPTABLE"]): TextRow {
  const primary = row.primaryProvider === null ? null : String(row.primaryProvider);
  const document: RecordedDecision = {
    request: {
      merchant_id: row.merchantId,
      order_id: row.orderId,
      transaction: {
        amount: row.amountMinor,
        currency: String(row.currency),
        country: "US",
        payment_method: "card",
      },
      available_providers: ["provider_1", "provider_2"],
    },
    response: {
      decision_id: row.decisionId,
      merchant_id: row.merchantId,
      mode: MODES[row.mode] as (typeof MODES)[number],
      decision_mode: DECISION_MODES[row.decisionMode] as (typeof DECISION_MODES)[number],
      action: ACTIONS[row.action] as (typeof ACTIONS)[number],
      route:
        primary === null
          ? null
          : {
              primary_provider: primary,
              fallback_provider: row.fallbackProvider === null ? null : String(row.fallbackProvider),
            },
      risk: {
        score: 10,
        band: RISK_BANDS[row.riskBand] as (typeof RISK_BANDS)[number],
        recommended_action: "route",
        reason_codes: ["RISK_OF_ITS_OWN"],
      },
      provider_health: {},
      policy: { policy_id: null, policy_version: null, matched_rules: [`"reason_codes":["NOT_A_CODE"]`] },
      model: { model_version: "deterministic-v1", route_scores: {} },
      cost: null,
      economics: null,
      reason_codes: reasonCodes,
      decision_latency_ms: row.latencyMs,
      ttl_ms: 3000,
    },
    evaluations: [],
    provider_health_source: "probe",
    seen: {
      risk_block_threshold: 90,
      normal_amount_max_minor: null,
      default_decision_mode: "enforce",
      pricing: null,
      health: HEALTH_NOWHERE,
    },
  };
  return { ...row, doc: Buffer.from(JSON.stringify(document)) };
}
