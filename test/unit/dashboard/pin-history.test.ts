import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { pinnedAfter } from "../../../src/dashboard/api/drills/pin-history.js";
import type { AuditEntry } from "../../../src/dashboard/api/wire-types.js";
import {
  putOverride,
  unexpiredOverrides,
  type ProviderOverride,
} from "../../../src/domain/health/provider-override.js";
import { HEALTH_STATES } from "../../../src/domain/vocabulary/vocabulary.js";

const change = fc.record({
  paymentMethod: fc.constantFrom(null, "card" as const, "wallet" as const),
  currency: fc.constantFrom(null, "USD", "EUR"),
  mode: fc.constantFrom(undefined, "live" as const, "test" as const),
  // Hours from now. Some pins have ended when the trail is read.
  endsInHours: fc.constantFrom(undefined, 1, 3),
  state: fc.constantFrom(null, ...HEALTH_STATES),
});
const NOW_MS = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;

describe("drills are listed from the audit trail", () => {
  it("ALRT-10, ALRT-19, ALRT-20: pins and lifts leave the same pins as in the service", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        let overrides: ProviderOverride[] = [];
        const trail: AuditEntry[] = [];
        for (const [position, { paymentMethod, currency, mode, endsInHours, state }] of changes.entries()) {
          const scope = { paymentMethod, currency, ...(mode === undefined ? {} : { mode }) };
          const expiresAtMs = endsInHours === undefined ? undefined : NOW_MS + endsInHours * HOUR_MS;
          const ends = expiresAtMs === undefined ? {} : { expiresAtMs };
          overrides = putOverride(overrides, { provider: "provider_1", ...scope, state, ...ends });
          trail.unshift({
            audit_id: `aud_${position}`,
            actor: "usr_1",
            action: state === null ? "provider_override.lifted" : "provider_override.set",
            resource: "provider_1",
            metadata: {
              state,
              payment_method: paymentMethod,
              currency,
              ...(mode === undefined ? {} : { mode }),
              ...(expiresAtMs === undefined ? {} : { expires_at: new Date(expiresAtMs).toISOString() }),
            },
            created_at: "2026-11-20T12:00:00.000Z",
          });
        }
        const readMs = NOW_MS + 2 * HOUR_MS;
        assert.deepEqual(
          (pinnedAfter(trail, readMs).get("provider_1") ?? []).map((pin) => [
            pin.payment_method,
            pin.currency,
            pin.mode,
            pin.state,
          ]),
          unexpiredOverrides(overrides, readMs).map((pin) => [
            pin.paymentMethod,
            pin.currency,
            pin.mode,
            pin.state,
          ]),
        );
      }),
      { numRuns: 300 },
    );
  });
});
