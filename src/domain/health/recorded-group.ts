import type { ProviderId } from "../vocabulary/decision-request.js";
import {
  HEALTH_SOURCES,
  HEALTH_STATES,
  type HealthSource,
  type HealthState,
} from "../vocabulary/vocabulary.js";
import { flatView, segmentKey, unknownSnapshot, type HealthSnapshot, type HealthView } from "./snapshot.js";

/**
 * One snapshot of a recorded group, without `updated_at` and `segment_key`. No decision reads `updated_at`, and without
 * it decisions of different seconds can share a group. `segment_key` follows from the provider and the group.
 */
type StoredSnapshot = [
  provider: ProviderId,
  score: number,
  /** Positions in HEALTH_STATES and HEALTH_SOURCES. */
  state: number,
  source: number,
  confidence: number,
  p95LatencyMs: number,
  timeoutRate: number,
  error5xxRate: number,
  throttle429Rate: number,
  approvalRate: number,
  approvalRateBaseline: number,
  webhookLagSeconds: number,
  sampleSize: number,
  windowSeconds: number,
  reasonCodes: readonly string[],
];

/**
 * All answers that a health view could give to one decision: the snapshots of every configured provider for the
 * decision's payment method and currency. Providers that were not offered are included, because a condition
 * `provider_health_state_in` can name them.
 */
export interface RecordedGroup {
  payment_method: string;
  currency: string;
  snapshots: StoredSnapshot[];
}

export function recordGroup(
  view: HealthView,
  providers: readonly ProviderId[],
  paymentMethod: string,
  currency: string,
): RecordedGroup {
  return {
    payment_method: paymentMethod,
    currency,
    snapshots: providers.map((provider) => toStored(view.find(provider, paymentMethod, currency))),
  };
}

/**
 * Makes a view of the recorded group, so that a decision can be repeated with it. Other providers, methods and
 * currencies are unknown in it. `version` is the name of the record.
 */
export function rebuildView(version: string, group: RecordedGroup): HealthView {
  const snapshots = new Map<string, HealthSnapshot>();
  for (const stored of group.snapshots) {
    const key = segmentKey(stored[0], group.payment_method, group.currency);
    snapshots.set(key, fromStored(stored, key));
  }
  // The group was recorded from a view already narrowed to its payment, so this view needs no levels.
  return flatView(version, (provider, paymentMethod, currency) => {
    const key = segmentKey(provider, paymentMethod, currency);
    let snapshot = snapshots.get(key);
    if (snapshot === undefined) {
      snapshot = unknownSnapshot(provider, key, NO_TIME);
      snapshots.set(key, snapshot);
    }
    return snapshot;
  });
}

const NO_TIME = "1970-01-01T00:00:00.000Z";

function toStored(snapshot: HealthSnapshot): StoredSnapshot {
  return [
    snapshot.provider,
    snapshot.score,
    HEALTH_STATES.indexOf(snapshot.state),
    HEALTH_SOURCES.indexOf(snapshot.source),
    snapshot.confidence,
    snapshot.p95_latency_ms,
    snapshot.timeout_rate,
    snapshot.error_5xx_rate,
    snapshot.throttle_429_rate,
    snapshot.approval_rate,
    snapshot.approval_rate_baseline,
    snapshot.webhook_lag_seconds,
    snapshot.sample_size,
    snapshot.window_seconds,
    snapshot.reason_codes,
  ];
}

function fromStored(stored: StoredSnapshot, key: string): HealthSnapshot {
  return {
    provider: stored[0],
    segment_key: key,
    score: stored[1],
    state: HEALTH_STATES[stored[2]] as HealthState,
    source: HEALTH_SOURCES[stored[3]] as HealthSource,
    confidence: stored[4],
    p95_latency_ms: stored[5],
    timeout_rate: stored[6],
    error_5xx_rate: stored[7],
    throttle_429_rate: stored[8],
    approval_rate: stored[9],
    approval_rate_baseline: stored[10],
    webhook_lag_seconds: stored[11],
    sample_size: stored[12],
    window_seconds: stored[13],
    reason_codes: [...stored[14]],
    updated_at: NO_TIME,
  };
}
