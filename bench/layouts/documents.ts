import { createIdGenerator } from "../../src/domain/ids/ids.js";
import {
  ACTIONS,
  DECISION_MODES,
  MODES,
  PAYMENT_METHODS,
  RISK_BANDS,
} from "../../src/domain/vocabulary/vocabulary.js";
import type { DecisionRow } from "../../src/path/writer/copy/decision-row.js";

/** mulberry32: small, seeded, good enough to vary documents. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return (t ^ (t >>> 14)) >>> 0;
  };
}

const CURRENCIES = ["USD", "EUR", "GBP", "NGN", "KES", "INR", "BRL", "JPY"];
const COUNTRIES = ["US", "DE", "GB", "NG", "KE", "IN", "BR", "JP", "FR", "ZA"];
const PROVIDERS = ["provider_1", "provider_2", "provider_3", "provider_4", "provider_5"];
const WORKSPACES = 4;
const MERCHANTS = 200;
/** `block`, about one decision in 500: the filter that has to search. */
export const RARE_ACTION = ACTIONS.indexOf("block");

/** A decision whose ids and texts are strings, as the layouts that COPY text need them. */
export interface BenchRow extends DecisionRow {
  workspaceId: string;
  decisionId: string;
  merchantId: string;
  orderId: string;
  currency: string;
  doc: Uint8Array;
}

export interface DocumentSource {
  workspaceIds: readonly string[];
  rows(count: number): BenchRow[];
}

/**
 * Decisions as the journal hands them over: about 470 bytes of request, 1.1 KB of reply and 400 bytes of evaluations,
 * from four workspaces and 200 merchants, with numbers, ids and lists that differ from one to the next.
 */
export function createDocumentSource(seed: number): DocumentSource {
  const random = seededRandom(seed);
  const below = (limit: number): number => random() % limit;
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const ids = createIdGenerator(random);
  let nowMs = Date.UTC(2026, 10, 20);
  const workspaceIds = Array.from({ length: WORKSPACES }, () => `ws_${ids.next(nowMs)}`);
  const score = (): number => below(10_000) / 100;

  const row = (): BenchRow => {
    if (below(20) === 0) nowMs++;
    const decisionId = `dec_${ids.next(nowMs)}`;
    const merchantId = `merchant_${below(MERCHANTS)}`;
    const orderId = `ord_${random().toString(36)}${random().toString(36)}`;
    const action = below(500) === 0 ? RARE_ACTION : below(25) === 0 ? below(6) : 0;
    const offered = PROVIDERS.slice(0, 3 + below(3));
    const [primaryProvider, fallbackProvider] = below(2) === 0 ? offered : offered.toReversed();
    const transaction = {
      amount: 100 + below(500_000),
      currency: pick(CURRENCIES),
      country: pick(COUNTRIES),
      payment_method: pick(PAYMENT_METHODS),
      card_network: pick(["visa", "mastercard", "verve"]),
      customer_type: pick(["new", "returning", "guest"]),
    };
    const risk_signals = {
      velocity_count_10m: below(6),
      velocity_amount_1h: below(900_000),
      previous_success_count: below(40),
      order_age_seconds: below(3_600),
      ip_country_match: below(10) > 0,
    };
    const request = {
      merchant_id: merchantId,
      order_id: orderId,
      transaction,
      available_providers: offered,
      risk_signals,
    };
    const band = below(10) > 2 ? "low" : "medium";
    const reply = {
      decision_id: decisionId,
      merchant_id: merchantId,
      mode: "test",
      decision_mode: "enforce",
      action: ACTIONS[action],
      route: { primary_provider: primaryProvider, fallback_provider: fallbackProvider },
      risk: {
        score: below(65),
        band,
        recommended_action: "route",
        reason_codes: ["RISK_ACCEPTABLE", "PRIOR_SUCCESSFUL_PAYMENTS"],
      },
      provider_health: Object.fromEntries(
        offered.map((provider) => [
          provider,
          { score: score(), state: "healthy", confidence: score(), source: "probe" },
        ]),
      ),
      policy: {
        policy_id: "pol_01jd3vwz6c9k2m4n6p8r0s2t4v",
        policy_version: `v${below(9)}`,
        matched_rules: ["prefer local acquirer"],
      },
      model: {
        model_version: "deterministic-v1",
        route_scores: Object.fromEntries(offered.map((provider) => [provider, score()])),
      },
      cost: null,
      economics: null,
      reason_codes: [
        "HEALTHY_FOR_SEGMENT",
        "HIGHER_EXPECTED_APPROVAL_RATE",
        "RISK_ACCEPTABLE",
        "POLICY_PREFERRED_PROVIDER",
      ],
      decision_latency_ms: below(4_000) / 1_000,
      ttl_ms: 3000,
    };
    const provider_evaluations = offered.slice(0, 3).map((provider) => ({
      provider,
      eligible: true,
      components: { health: score(), approval: score(), latency: score(), confidence: score() },
    }));
    return {
      workspaceId: pick(workspaceIds),
      decisionId,
      mode: MODES.indexOf("test"),
      decisionMode: DECISION_MODES.indexOf("enforce"),
      action,
      paymentMethod: PAYMENT_METHODS.indexOf("card"),
      riskBand: RISK_BANDS.indexOf(band),
      merchantId,
      orderId,
      primaryProvider: primaryProvider ?? null,
      fallbackProvider: fallbackProvider ?? null,
      currency: transaction.currency,
      amountMinor: transaction.amount,
      latencyMs: reply.decision_latency_ms,
      doc: Buffer.from(JSON.stringify({ request, reply, provider_evaluations })),
    };
  };
  return { workspaceIds, rows: (count) => Array.from({ length: count }, row) };
}
