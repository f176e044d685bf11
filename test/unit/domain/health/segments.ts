import { HealthMonitor, type HealthMonitorOptions } from "../../../../src/domain/health/monitor/monitor.js";
import type { LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import type { HealthSnapshot } from "../../../../src/domain/health/snapshot.js";
import { PAYMENT_METHODS } from "../../../../src/domain/vocabulary/vocabulary.js";

/** The defaults of PROVIDERS and PROBE_CURRENCIES, and a start time in the middle of a bucket. */
export const PROVIDERS = ["provider_1", "provider_2", "provider_3", "provider_4", "provider_5"];
export const CURRENCIES = ["USD", "EUR", "GBP", "NGN", "KES", "INR", "BRL", "JPY"];
export const START_MS = Date.UTC(2026, 10, 20, 9, 30, 3, 217);

export function defaultMonitor(options: Partial<HealthMonitorOptions> = {}): HealthMonitor {
  return new HealthMonitor({
    providers: PROVIDERS,
    paymentMethods: PAYMENT_METHODS,
    currencies: CURRENCIES,
    seed: 7,
    ...options,
  });
}

/** Two providers, one method and two currencies are enough to see which segments change. */
export function smallMonitor(options: Partial<HealthMonitorOptions> = {}): HealthMonitor {
  return defaultMonitor({
    providers: ["provider_1", "provider_2"],
    paymentMethods: ["card"],
    currencies: ["USD", "EUR"],
    ...options,
  });
}

export function bySegment(snapshots: readonly HealthSnapshot[], key: string): HealthSnapshot {
  const snapshot = snapshots.find((candidate) => candidate.segment_key === key);
  if (snapshot === undefined) throw new Error(`no snapshot of ${key}`);
  return snapshot;
}

export function liveOutcome(atMs: number, fields: Partial<LiveOutcomes> = {}): LiveOutcomes {
  return {
    workspaceId: "ws_a",
    mode: "live",
    provider: "provider_1",
    paymentMethod: "card",
    currency: "USD",
    country: "US",
    cardNetwork: null,
    outcome: "approved",
    technicalFailureType: null,
    blame: "provider",
    latencyMs: 200,
    atMs,
    count: 1,
    ...fields,
  };
}
