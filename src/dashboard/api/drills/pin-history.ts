import {
  HEALTH_STATES,
  MODES,
  PAYMENT_METHODS,
  type HealthState,
} from "../../../domain/vocabulary/vocabulary.js";
import type { AuditEntry } from "../wire-types.js";
import type { KnownPin, PinScope } from "./provider-pins.js";

const DRILL_ACTIONS: ReadonlySet<string> = new Set(["provider_override.set", "provider_override.lifted"]);

/** The drill of an audit entry. An undefined state means that the drill was ended. */
function drillOf({ metadata }: Pick<AuditEntry, "metadata">): {
  scope: PinScope;
  state: HealthState | undefined;
  expiresAt: string | undefined;
} {
  const mode = MODES.find((known) => known === metadata["mode"]);
  const expiresAt = metadata["expires_at"];
  return {
    scope: {
      payment_method: PAYMENT_METHODS.find((method) => method === metadata["payment_method"]) ?? null,
      currency: typeof metadata["currency"] === "string" ? metadata["currency"] : null,
      ...(mode === undefined ? {} : { mode }),
    },
    state: HEALTH_STATES.find((known) => known === metadata["state"]),
    expiresAt: typeof expiresAt === "string" ? expiresAt : undefined,
  };
}

/**
 * Replays an audit trail, which is newest first, and returns the resulting pins. It follows the service's rules. A
 * new pin replaces every pin inside its scope and becomes the last one. Lifting removes the pin with exactly the same
 * scope. An expired pin has ended.
 */
export function pinnedAfter(entries: readonly AuditEntry[], nowMs: number): Map<string, readonly KnownPin[]> {
  const pins = new Map<string, readonly KnownPin[]>();
  for (const { action, resource: provider, metadata, actor, created_at } of entries.toReversed()) {
    if (!DRILL_ACTIONS.has(action)) continue;
    const { scope, state, expiresAt } = drillOf({ metadata });
    const isReplaced = state === undefined ? isSameScope : covers;
    const kept = (pins.get(provider) ?? []).filter((pin) => !isReplaced(scope, pin));
    const score = typeof metadata["score"] === "number" ? metadata["score"] : null;
    const ends = expiresAt === undefined ? {} : { expires_at: expiresAt };
    pins.set(
      provider,
      state === undefined
        ? kept
        : [...kept, { ...scope, state, score, ...ends, by: actor, since: created_at }],
    );
  }
  for (const [provider, known] of pins) pins.set(provider, unexpired(known, nowMs));
  return pins;
}

function unexpired(pins: readonly KnownPin[], nowMs: number): readonly KnownPin[] {
  return pins.filter(({ expires_at }) => expires_at === undefined || Date.parse(expires_at) > nowMs);
}

function isSameScope(a: PinScope, b: PinScope): boolean {
  return a.payment_method === b.payment_method && a.currency === b.currency && a.mode === b.mode;
}

function covers(wide: PinScope, narrow: PinScope): boolean {
  return (
    (wide.payment_method === null || wide.payment_method === narrow.payment_method) &&
    (wide.currency === null || wide.currency === narrow.currency) &&
    (wide.mode === undefined || wide.mode === narrow.mode)
  );
}
