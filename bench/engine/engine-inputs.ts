import { createDecisionValidator } from "../../src/path/wire/decision-schema.js";
import { flatView, type HealthSnapshot, type HealthView } from "../../src/domain/health/snapshot.js";
import type { DecisionRequest } from "../../src/domain/vocabulary/decision-request.js";
import { CARD_NETWORKS, CUSTOMER_TYPES, PAYMENT_METHODS } from "../../src/domain/vocabulary/vocabulary.js";
import { COUNTRIES, CURRENCIES, pick, PROVIDERS } from "./engine-policy.js";

const validator = createDecisionValidator(PROVIDERS);

/**
 * A request with varying optional fields, as different merchants send them. It is parsed from text, as in the service.
 */
export function request(index: number): DecisionRequest {
  const body: DecisionRequest = {
    merchant_id: "demo_merchant",
    order_id: `order_${100_000 + index}`,
    transaction: {
      amount: 500 + ((index * 7919) % 250_000),
      currency: pick(CURRENCIES, index),
      country: pick(COUNTRIES, index >> 1),
      payment_method: pick(PAYMENT_METHODS, index >> 2),
    },
    available_providers: PROVIDERS,
  };
  if (index % 2 === 0) body.transaction.card_network = pick(CARD_NETWORKS, index >> 1);
  if (index % 3 !== 0) body.transaction.customer_type = pick(CUSTOMER_TYPES, index);
  if (index % 5 === 0) body.transaction.risk_score = index % 91;
  if (index % 4 === 0) {
    body.risk_signals = {
      velocity_count_10m: index % 7,
      previous_success_count: index % 12,
      ip_country_match: true,
    };
  }
  if (index % 16 === 0) body.previous_attempt = { provider: "provider_2", outcome: "timeout" };
  const read = validator.parse(JSON.stringify(body));
  if (!read.ok) throw new Error("the bench's request is not valid");
  return read.value;
}

export function healthView(): HealthView {
  const snapshots = new Map<string, HealthSnapshot>();
  PROVIDERS.forEach((provider, index) => {
    for (const method of PAYMENT_METHODS) {
      for (const currency of CURRENCIES) {
        const segment_key = `${provider}:${method}:${currency}`;
        snapshots.set(segment_key, {
          provider,
          segment_key,
          score: 96.37 - index * 7.13,
          state: index === 2 ? "watch" : "healthy",
          confidence: 85.71,
          p95_latency_ms: 320 + index * 140,
          timeout_rate: 0.0125,
          error_5xx_rate: 0.004,
          throttle_429_rate: 0,
          approval_rate: 0.91 - index * 0.02,
          approval_rate_baseline: 0.9,
          webhook_lag_seconds: 3,
          sample_size: 300,
          window_seconds: 300,
          reason_codes: ["HEALTHY_FOR_SEGMENT"],
          updated_at: "2026-11-20T12:00:00.000Z",
          source: "probe",
        });
      }
    }
  });
  return flatView(
    "1",
    (provider, method, currency) => snapshots.get(`${provider}:${method}:${currency}`) as HealthSnapshot,
  );
}
