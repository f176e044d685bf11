import type { ProviderId } from "../vocabulary/decision-request.js";
import type { HealthState, Mode, PaymentMethod } from "../vocabulary/vocabulary.js";
import { pinnedCode, withoutOwnMerit } from "./reason-codes.js";
import { UNKNOWN_SCORE, restateSnapshot, type HealthSnapshot } from "./snapshot.js";

/** ALRT-8, PUT /v1/admin/provider-overrides/:provider: the scores, by state, of pins without a score. */
const DEFAULT_OVERRIDE_SCORES = {
  healthy: 95,
  watch: 75,
  degraded: 60,
  critical: 35,
  unavailable: 0,
  unknown: UNKNOWN_SCORE,
} as const satisfies Record<HealthState, number>;

/** The scope of a pin. Null matches all values. An absent mode means both modes. */
interface OverrideScope {
  provider: ProviderId;
  paymentMethod: PaymentMethod | null;
  currency: string | null;
  mode?: Mode;
}

/** A pin of one workspace. `score` is 0..100. */
export interface ProviderOverride extends OverrideScope {
  state: HealthState;
  score: number;
  /** The expiry in Unix milliseconds. Absent if the pin holds until somebody lifts it. */
  expiresAtMs?: number;
}

/** The change that a PUT requests. `state: null` lifts a pin. */
export interface OverrideChange extends OverrideScope {
  state: HealthState | null;
  /** 0..100. Default: the state's own score. */
  score?: number;
  /** Unix milliseconds. */
  expiresAtMs?: number;
}

/**
 * Returns the pins after a PUT. `state: null` lifts a pin. A new pin replaces the pins whose scope it covers, so a
 * pin on a provider replaces all narrower ones. A later, narrower pin is an exception to an earlier, wider one.
 * Lifting removes only the pin with exactly the same scope, because narrower pins were set separately (ALRT-10).
 */
export function putOverride(
  overrides: readonly ProviderOverride[],
  change: OverrideChange,
): ProviderOverride[] {
  if (change.state === null) return overrides.filter((override) => !isSameScope(change, override));
  const kept = overrides.filter((override) => !covers(change, override));
  const { provider, paymentMethod, currency, mode, state, expiresAtMs } = change;
  kept.push({
    provider,
    paymentMethod,
    currency,
    state,
    score: change.score ?? DEFAULT_OVERRIDE_SCORES[state],
    ...(mode === undefined ? {} : { mode }),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  });
  return kept;
}

/** Returns the pins that have not expired. */
export function unexpiredOverrides(
  overrides: readonly ProviderOverride[],
  nowMs: number,
): ProviderOverride[] {
  return overrides.filter(({ expiresAtMs }) => expiresAtMs === undefined || nowMs < expiresAtMs);
}

/** ALRT-19: returns the pins that apply in a mode. */
export function overridesIn(overrides: readonly ProviderOverride[], mode: Mode): ProviderOverride[] {
  return overrides.filter((override) => override.mode === undefined || override.mode === mode);
}

/** Returns the pin of a segment: the latest one that covers it. */
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

/**
 * ALRT-7: changes only state, score, source (`demo`), and the reason codes, which follow the state. `<PROVIDER>_PINNED`
 * replaces HEALTHY_FOR_SEGMENT and tells that a person set the state (CODE-4).
 */
export function applyOverride(
  snapshot: HealthSnapshot,
  override: ProviderOverride | undefined,
): HealthSnapshot {
  if (override === undefined) return snapshot;
  const { state, score } = override;
  const pinned = restateSnapshot(snapshot, { state, score, source: "demo" });
  const prefix = snapshot.provider.toUpperCase();
  const codes = withoutOwnMerit(prefix, pinned.reason_codes);
  return { ...pinned, reason_codes: [...codes, pinnedCode(prefix)] };
}

function isSameScope(a: OverrideScope, b: OverrideScope): boolean {
  return (
    a.provider === b.provider &&
    a.paymentMethod === b.paymentMethod &&
    a.currency === b.currency &&
    a.mode === b.mode
  );
}

function covers(wide: OverrideScope, narrow: OverrideScope): boolean {
  return (
    wide.provider === narrow.provider &&
    (wide.paymentMethod === null || wide.paymentMethod === narrow.paymentMethod) &&
    (wide.currency === null || wide.currency === narrow.currency) &&
    (wide.mode === undefined || wide.mode === narrow.mode)
  );
}
