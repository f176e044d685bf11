import type { ProviderId } from "../shared/decision-request.js";
import type { HealthState, PaymentMethod } from "../shared/vocabulary.js";
import { UNKNOWN_SCORE, restateSnapshot, type HealthSnapshot } from "./snapshot.js";

/** contract §3, PUT /v1/admin/provider-overrides/:provider: the score of a pin that names none. */
const DEFAULT_OVERRIDE_SCORES = {
  healthy: 95,
  watch: 75,
  degraded: 60,
  critical: 35,
  unavailable: 0,
  unknown: UNKNOWN_SCORE,
} as const satisfies Record<HealthState, number>;

/** Which segments a pin is for; null stands for all. */
interface OverrideScope {
  provider: ProviderId;
  paymentMethod: PaymentMethod | null;
  currency: string | null;
}

/** A pin of one workspace; it holds in both modes. `score` 0..100. */
export interface ProviderOverride extends OverrideScope {
  state: HealthState;
  score: number;
}

/** A PUT: `state: null` lifts. */
export interface OverrideChange extends OverrideScope {
  state: HealthState | null;
  /** 0..100; the state's default where absent. */
  score?: number;
}

/**
 * The pins after a PUT; `state: null` lifts. A pin replaces the earlier ones whose segments it covers, and a lift drops
 * them; a later, narrower pin is an exception to an earlier, wider one. So taking a provider out by hand takes all of it out.
 */
export function putOverride(
  overrides: readonly ProviderOverride[],
  change: OverrideChange,
): ProviderOverride[] {
  const kept = overrides.filter((override) => !covers(change, override));
  if (change.state === null) return kept;
  const { provider, paymentMethod, currency, state } = change;
  kept.push({
    provider,
    paymentMethod,
    currency,
    state,
    score: change.score ?? DEFAULT_OVERRIDE_SCORES[state],
  });
  return kept;
}

/** The pin that holds for a segment: the latest that covers it. */
export function findOverride(
  overrides: readonly ProviderOverride[],
  provider: ProviderId,
  paymentMethod: string,
  currency: string,
): ProviderOverride | undefined {
  return overrides.findLast(
    (override) =>
      override.provider === provider &&
      (override.paymentMethod === null || override.paymentMethod === paymentMethod) &&
      (override.currency === null || override.currency === currency),
  );
}

/** contract §3: pins state, score and source (`demo`) and nothing else; the reason codes follow the state. */
export function applyOverride(
  snapshot: HealthSnapshot,
  override: ProviderOverride | undefined,
): HealthSnapshot {
  if (override === undefined) return snapshot;
  return restateSnapshot(snapshot, { state: override.state, score: override.score, source: "demo" });
}

function covers(wide: OverrideScope, narrow: OverrideScope): boolean {
  return (
    wide.provider === narrow.provider &&
    (wide.paymentMethod === null || wide.paymentMethod === narrow.paymentMethod) &&
    (wide.currency === null || wide.currency === narrow.currency)
  );
}
