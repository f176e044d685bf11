import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { pinnedAfter } from "../../../src/dashboard/api/pin-history.js";
import type { AuditEntry } from "../../../src/dashboard/api/wire-types.js";
import { putOverride, type ProviderOverride } from "../../../src/domain/health/provider-override.js";
import { HEALTH_STATES } from "../../../src/domain/vocabulary/vocabulary.js";

const change = fc.record({
  paymentMethod: fc.constantFrom(null, "card" as const, "wallet" as const),
  currency: fc.constantFrom(null, "USD", "EUR"),
  state: fc.constantFrom(null, ...HEALTH_STATES),
});

describe("drills are listed from the audit trail", () => {
  it("ALRT-10: pins and lifts leave there what they leave in the service", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        let overrides: ProviderOverride[] = [];
        const trail: AuditEntry[] = [];
        for (const [position, { paymentMethod, currency, state }] of changes.entries()) {
          overrides = putOverride(overrides, { provider: "provider_1", paymentMethod, currency, state });
          trail.unshift({
            audit_id: `aud_${position}`,
            actor: "usr_1",
            action: state === null ? "provider_override.lifted" : "provider_override.set",
            resource: "provider_1",
            metadata: { state, payment_method: paymentMethod, currency },
            created_at: "2026-11-20T12:00:00.000Z",
          });
        }
        assert.deepEqual(
          (pinnedAfter(trail).get("provider_1") ?? []).map((pin) => [
            pin.payment_method,
            pin.currency,
            pin.state,
          ]),
          overrides.map((pin) => [pin.paymentMethod, pin.currency, pin.state]),
        );
      }),
      { numRuns: 300 },
    );
  });
});
