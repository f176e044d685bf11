import type { ProviderId } from "../vocabulary/decision-request.js";
import type { CardNetwork, HealthSource, HealthState } from "../vocabulary/vocabulary.js";
import { HEALTH_LIMITS } from "./limits.js";
import { snapshotReasonCodes } from "./reason-codes.js";
import { confidenceOf, healthScore, type HealthMeasures } from "./score.js";

/** HLTH-2, plus `source`, which the decision response shows. Rates are fractions 0..1. */
export interface HealthSnapshot {
  provider: ProviderId;
  /**
   * `<provider>:<payment_method>:<currency>`. The key of a deeper level also has `:<country>` and `:<card_network>`.
   */
  segment_key: string;
  /** 0..100 */
  score: number;
  state: HealthState;
  /** 0..100 */
  confidence: number;
  p95_latency_ms: number;
  timeout_rate: number;
  error_5xx_rate: number;
  throttle_429_rate: number;
  approval_rate: number;
  approval_rate_baseline: number;
  webhook_lag_seconds: number;
  sample_size: number;
  window_seconds: number;
  reason_codes: string[];
  /** ISO 8601 */
  updated_at: string;
  source: HealthSource;
}

/**
 * One immutable generation of snapshots, as a decision sees it. `find` has an answer for any provider, method and
 * currency. It returns the first of these that exists:
 * - the snapshot of exactly this segment
 * - for an unprobed currency, a pin on the provider or its method (source `demo`)
 * - the provider's own answer for the method (source `partial`)
 * - an `unknown` snapshot
 *
 * For equal arguments `find` always returns the same object, so that callers can cache by identity.
 */
export interface HealthView {
  /** Changes whenever a snapshot in the view changes. */
  readonly version: string;
  find(provider: ProviderId, paymentMethod: string, currency: string): HealthSnapshot;
  /**
   * HLTH-32: returns the view with the deepest levels that match a payment, or this view if no provider has a matching
   * level. For equal arguments it always returns the same object.
   */
  forPayment(country: string, cardNetwork: CardNetwork | undefined): HealthView;
}

/** A view without levels, which is the same for every payment. */
export function flatView(version: string, find: HealthView["find"]): HealthView {
  const view: HealthView = { version, find, forPayment: () => view };
  return view;
}

/** ALRT-8: the default score of an `unknown` pin. It is not measured, and routing always counts 70 instead. */
export const UNKNOWN_SCORE = 50;
const WINDOW_SECONDS = HEALTH_LIMITS.windowMs / 1000;

/**
 * The currency in the segment key of a snapshot that a pin on every currency sets. A view uses this snapshot for each
 * currency without a snapshot of its own.
 */
export const ANY_CURRENCY = "*";

/** HLTH-2, segment_key. */
export function segmentKey(provider: ProviderId, paymentMethod: string, currency: string): string {
  return `${provider}:${paymentMethod}:${currency}`;
}

/**
 * The inverse of `segmentKey`. None of the three parts contains a colon. For the key of a deeper level, it returns the
 * parts of the segment that the level belongs to.
 */
export function parseSegmentKey(key: string): {
  provider: ProviderId;
  paymentMethod: string;
  currency: string;
} {
  const [provider = "", paymentMethod = "", currency = ""] = key.split(":");
  return { provider, paymentMethod, currency };
}

/**
 * Creates a snapshot with `measures`, which must be rounded as in the API. Without `score`, the score is computed
 * from them. `updatedAt` is ISO 8601.
 */
export function createSnapshot(segment: {
  provider: ProviderId;
  segmentKey: string;
  state: HealthState;
  measures: HealthMeasures;
  score?: number;
  samples: number;
  source: HealthSource;
  updatedAt: string;
}): HealthSnapshot {
  const { provider, state, measures, score = healthScore(measures) } = segment;
  return {
    provider,
    segment_key: segment.segmentKey,
    score: state === "unknown" ? UNKNOWN_SCORE : score,
    state,
    confidence: confidenceOf(segment.samples),
    p95_latency_ms: measures.p95LatencyMs,
    timeout_rate: measures.timeoutRate,
    error_5xx_rate: measures.error5xxRate,
    throttle_429_rate: measures.throttle429Rate,
    approval_rate: measures.approvalRate,
    approval_rate_baseline: measures.approvalRateBaseline,
    webhook_lag_seconds: measures.webhookLagSeconds,
    sample_size: segment.samples,
    window_seconds: WINDOW_SECONDS,
    reason_codes: snapshotReasonCodes(provider, state, measures),
    updated_at: segment.updatedAt,
    source: state === "unknown" ? "unknown" : segment.source,
  };
}

/** Returns the measures that a snapshot was made of. */
export function snapshotMeasures(snapshot: HealthSnapshot): HealthMeasures {
  return {
    timeoutRate: snapshot.timeout_rate,
    error5xxRate: snapshot.error_5xx_rate,
    throttle429Rate: snapshot.throttle_429_rate,
    approvalRate: snapshot.approval_rate,
    approvalRateBaseline: snapshot.approval_rate_baseline,
    p95LatencyMs: snapshot.p95_latency_ms,
    webhookLagSeconds: snapshot.webhook_lag_seconds,
  };
}

/** Returns the snapshot's measurements with another state, score and source. The reason codes follow the new state. */
export function restateSnapshot(
  snapshot: HealthSnapshot,
  restated: { state: HealthState; score: number; source: HealthSource },
): HealthSnapshot {
  const reasonCodes = snapshotReasonCodes(snapshot.provider, restated.state, snapshotMeasures(snapshot));
  return { ...snapshot, ...restated, reason_codes: reasonCodes };
}

/** Returns the snapshot of a segment about which nothing is known. Its approval rates are the assumed one (HLTH-26). */
export function unknownSnapshot(provider: ProviderId, key: string, updatedAt: string): HealthSnapshot {
  const measures: HealthMeasures = {
    timeoutRate: 0,
    error5xxRate: 0,
    throttle429Rate: 0,
    approvalRate: HEALTH_LIMITS.assumedApprovalRate,
    approvalRateBaseline: HEALTH_LIMITS.assumedApprovalRate,
    p95LatencyMs: 0,
    webhookLagSeconds: 0,
  };
  return createSnapshot({
    provider,
    segmentKey: key,
    state: "unknown",
    measures,
    samples: 0,
    source: "unknown",
    updatedAt,
  });
}

/**
 * HLTH-19: returns a snapshot as unknown when it is 15 minutes old. Old health is therefore never shown as current,
 * even if the prober has died. A fresh snapshot is returned as the same object.
 */
export function expireSnapshot(snapshot: HealthSnapshot, nowMs: number): HealthSnapshot {
  if (nowMs - Date.parse(snapshot.updated_at) < HEALTH_LIMITS.staleMs) return snapshot;
  // A pin does not become stale, because a person set it.
  if (snapshot.source === "demo" || snapshot.state === "unknown") return snapshot;
  return restateSnapshot(snapshot, { state: "unknown", score: UNKNOWN_SCORE, source: "unknown" });
}
