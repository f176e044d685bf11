import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { INCIDENT_KINDS, type Incident } from "../../../../src/domain/health/incident.js";
import { MockSegment } from "../../../../src/domain/health/mock-provider.js";
import type { SampleKind } from "../../../../src/domain/health/window.js";
import { PAYMENT_METHODS } from "../../../../src/domain/vocabulary/vocabulary.js";
import { CURRENCIES, PROVIDERS, START_MS } from "./segments.js";

const FIRST = 4_000_000_000;
const PROBES = 10_000;

function share(
  segment: MockSegment,
  kinds: readonly SampleKind[],
  incidents: readonly Incident[] = [],
): number {
  let hits = 0;
  for (let i = 0; i < PROBES; i++) if (kinds.includes(segment.probe(FIRST + i, incidents).kind)) hits++;
  return hits / PROBES;
}

function medianLatency(segment: MockSegment, incidents: readonly Incident[] = []): number {
  const latencies = Array.from({ length: PROBES }, (_, i) => segment.probe(FIRST + i, incidents).latencyMs);
  return latencies.toSorted((a, b) => a - b)[PROBES / 2] as number;
}

const segment = new MockSegment(1, "provider_1", 0, "card", "USD");

describe("every provider is a mock driven by synthetic probes", () => {
  it("HLTH-6, SVC-2: is deterministic: the same seed, segment and index give the same probe", () => {
    const twin = new MockSegment(1, "provider_1", 0, "card", "USD");
    const series = (of: MockSegment) => Array.from({ length: 500 }, (_, i) => of.probe(FIRST + i, []));
    assert.deepEqual(series(twin), series(segment));
    assert.notDeepEqual(series(new MockSegment(2, "provider_1", 0, "card", "USD")), series(segment));
    assert.notDeepEqual(series(new MockSegment(1, "provider_1", 0, "card", "EUR")), series(segment));
  });

  it("probes every 400 ms on the absolute time line", () => {
    const first = segment.firstProbeAt(START_MS);
    const atMs = segment.probeAtMs(first);
    assert.ok(atMs >= START_MS && atMs < START_MS + 400);
    assert.equal(segment.probeAtMs(first + 1) - atMs, 400);
    assert.equal(segment.firstProbeAt(atMs), first);
    assert.equal(segment.firstProbeAt(atMs + 1), first + 1);
  });

  it("behaves as its profile states", () => {
    const { profile } = segment;
    const near = (actual: number, expected: number): boolean => Math.abs(actual - expected) < 0.003;
    assert.ok(near(share(segment, ["timeout"]), profile.timeoutRate));
    assert.ok(near(share(segment, ["error_5xx"]), profile.error5xxRate));
    assert.ok(near(share(segment, ["throttled_429"]), profile.throttle429Rate));
    assert.ok(near(share(segment, ["hard_declined"]), profile.hardDeclineRate));
    assert.ok(
      near(share(segment, ["approved"]) / (1 - share(segment, ["hard_declined"])), profile.approvalRate),
    );
    assert.ok(Math.abs(medianLatency(segment) / profile.medianLatencyMs - 1) < 0.03);
  });

  it("has a plausible profile for every segment, with room for soft declines", () => {
    for (const [position, provider] of PROVIDERS.entries()) {
      for (const method of PAYMENT_METHODS) {
        for (const currency of CURRENCIES) {
          const { profile } = new MockSegment(99, provider, position, method, currency);
          const approved = profile.approvalRate * (1 - profile.hardDeclineRate);
          const failed = profile.timeoutRate + profile.error5xxRate + profile.throttle429Rate;
          assert.ok(approved + failed + profile.hardDeclineRate < 1);
          assert.ok(profile.approvalRate > 0.8 && failed < 0.005);
          assert.ok(profile.medianLatencyMs > 50 && profile.medianLatencyMs < 800);
        }
      }
    }
  });
});

describe("scripted incidents", () => {
  const always = { provider: "provider_1", fromMs: -Infinity, toMs: Infinity };
  const failure = { timeouts: "timeout", errors_5xx: "error_5xx", throttling: "throttled_429" } as const;

  for (const kind of ["timeouts", "errors_5xx", "throttling"] as const) {
    it(`${kind} hit the given share of attempts`, () => {
      const hit = share(segment, [failure[kind]], [{ ...always, kind, intensity: 0.4 }]);
      assert.ok(Math.abs(hit - 0.4) < 0.02, String(hit));
      assert.equal(share(segment, [failure[kind]], [{ ...always, kind, intensity: 1 }]), 1);
    });
  }

  it("approval_drop turns approvals into soft declines and nothing else", () => {
    const incidents: Incident[] = [{ ...always, kind: "approval_drop", intensity: 0.5 }];
    assert.ok(Math.abs(share(segment, ["approved"], incidents) / share(segment, ["approved"]) - 0.5) < 0.02);
    for (const kind of ["timeout", "error_5xx", "hard_declined"] as const) {
      assert.equal(share(segment, [kind], incidents), share(segment, [kind]));
    }
  });

  it("slow multiplies latency by up to 10 and leaves outcomes alone", () => {
    const incidents: Incident[] = [{ ...always, kind: "slow", intensity: 1 }];
    assert.ok(Math.abs(medianLatency(segment, incidents) / medianLatency(segment) - 10) < 0.01);
    assert.equal(share(segment, ["approved"], incidents), share(segment, ["approved"]));
  });

  it("is in force from fromMs up to, not including, toMs", () => {
    const atMs = segment.probeAtMs(FIRST);
    const incident = (fromMs: number, toMs: number): Incident => ({
      ...always,
      fromMs,
      toMs,
      kind: "timeouts",
      intensity: 1,
    });
    assert.equal(segment.probe(FIRST, [incident(atMs, atMs + 1)]).kind, "timeout");
    assert.notEqual(segment.probe(FIRST, [incident(atMs - 1, atMs)]).kind, "timeout");
    assert.notEqual(segment.probe(FIRST, [incident(atMs + 1, atMs + 2)]).kind, "timeout");
  });

  it("touches only the segments it names", () => {
    const hit = (scope: Partial<Incident>): boolean =>
      share(segment, ["timeout"], [{ ...always, kind: "timeouts", intensity: 1, ...scope }]) === 1;
    assert.ok(
      hit({ paymentMethod: "card" }) &&
        hit({ currency: "USD" }) &&
        hit({ paymentMethod: "card", currency: "USD" }),
    );
    assert.ok(
      !hit({ provider: "provider_2" }) && !hit({ paymentMethod: "wallet" }) && !hit({ currency: "EUR" }),
    );
  });

  it("does nothing at intensity 0, for any kind", () => {
    for (const kind of INCIDENT_KINDS) {
      const none: Incident[] = [{ ...always, kind, intensity: 0 }];
      for (let i = FIRST; i < FIRST + 300; i++)
        assert.deepEqual(segment.probe(i, none), segment.probe(i, []));
    }
  });
});
