import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import type { HealthMonitor, LearntView } from "../../../../src/domain/health/monitor/monitor.js";
import type { HealthSnapshot } from "../../../../src/domain/health/snapshot.js";
import { liveOutcome, smallMonitor } from "./segments.js";

/** A whole second, as the prober's ticks are. */
const START_MS = Date.UTC(2026, 10, 20, 9, 30);
const SECONDS = 120;

/** Equal outcomes that are reported in one of SECONDS seconds. */
const timedOutcome: fc.Arbitrary<LiveOutcomes> = fc
  .record({
    second: fc.nat(SECONDS - 1),
    provider: fc.constantFrom("provider_1", "provider_2"),
    currency: fc.constantFrom("USD", "CAD"),
    outcome: fc.constantFrom("approved", "soft_declined", "timeout", "technical_failed"),
    latencyMs: fc.constantFrom(80, 400, 6000),
    count: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ second, ...fields }) => liveOutcome(START_MS + second * 1000, fields));

/**
 * Outcomes that are answers of a provider. They open no circuit, and are not forgotten within an hour. Customers caused
 * the declines, because what is overcome of a fall depends on the seconds in which a node looked (HLTH-35).
 */
const answered = timedOutcome.map((one) => ({
  ...one,
  outcome: one.outcome === "approved" ? ("approved" as const) : ("soft_declined" as const),
  blame: "customer" as const,
  count: one.count + 1,
}));

/** A monitor that never stops. At the end of each second it gets that second's reports. */
function lived(outcomes: readonly LiveOutcomes[]): HealthMonitor {
  const monitor = smallMonitor();
  monitor.warmUp(START_MS);
  const ordered = outcomes.toSorted((a, b) => a.atMs - b.atMs);
  for (let second = 0; second <= SECONDS; second++) {
    const nowMs = START_MS + second * 1000;
    for (const one of ordered) if (one.atMs === nowMs) monitor.recordOutcomes(one, nowMs);
    monitor.tick(nowMs);
  }
  return monitor;
}

function recalled(outcomes: readonly LiveOutcomes[]): HealthMonitor {
  const monitor = smallMonitor();
  monitor.warmUp(START_MS + SECONDS * 1000);
  monitor.recall(outcomes);
  return monitor;
}

const snapshotsOf = (monitor: HealthMonitor): HealthSnapshot[] =>
  monitor.overlay("ws_a", "live").toSorted((a, b) => (a.segment_key < b.segment_key ? -1 : 1));

/** The 95th percentile of each segment and level. */
const latenciesOf = (monitor: HealthMonitor): Record<string, number | null> =>
  Object.fromEntries(
    monitor.details("ws_a", "live").map(({ segmentKey, p95LatencyMs }) => [segmentKey, p95LatencyMs]),
  );

describe("learnt health survives restarts", () => {
  it("HLTH-11: a node that recalls outcomes shows the same as one that was there all the time", () => {
    fc.assert(
      fc.property(fc.array(timedOutcome, { maxLength: 60 }), (outcomes) => {
        const [there, back] = [lived(outcomes), recalled(outcomes)];
        assert.deepEqual(
          snapshotsOf(back).map(({ segment_key, state, score, sample_size }) => [
            segment_key,
            state,
            score,
            sample_size,
          ]),
          snapshotsOf(there).map(({ segment_key, state, score, sample_size }) => [
            segment_key,
            state,
            score,
            sample_size,
          ]),
        );
      }),
      { numRuns: 60 },
    );
  });

  it("HLTH-11: old knowledge is restored, and continues to fade as if nothing had happened", () => {
    fc.assert(
      fc.property(
        fc.array(answered, { maxLength: 30 }),
        fc.array(timedOutcome, { maxLength: 30 }),
        (old, recent) => {
          const anHourMs = 3_600_000;
          const there = lived(old);
          const learnt = JSON.parse(JSON.stringify(there.learntBy("ws_a", "live"))) as LearntView;
          const later = recent.map((one) => ({ ...one, atMs: one.atMs + anHourMs }));
          const back = smallMonitor();
          back.warmUp(START_MS + anHourMs + SECONDS * 1000);
          back.recall(later, [learnt]);
          for (let second = 0; second <= SECONDS; second++) {
            const nowMs = START_MS + anHourMs + second * 1000;
            for (const one of later) if (one.atMs === nowMs) there.recordOutcomes(one, nowMs);
            there.tick(nowMs);
          }
          const [shown, expected] = [snapshotsOf(back), snapshotsOf(there)];
          assert.deepEqual(
            shown.map(({ segment_key }) => segment_key),
            expected.map(({ segment_key }) => segment_key),
          );
          for (const [index, one] of expected.entries()) {
            const { approval_rate, timeout_rate, score } = shown[index] as HealthSnapshot;
            const message = JSON.stringify([shown[index], one]);
            // The two fade in different steps, so the last digit can be rounded differently.
            assert.ok(Math.abs(approval_rate - one.approval_rate) < 1.5e-6, message);
            assert.ok(Math.abs(timeout_rate - one.timeout_rate) < 1.5e-6, message);
            assert.ok(Math.abs(score - one.score) < 0.015, message);
          }
          assert.deepEqual(latenciesOf(back), latenciesOf(there));
        },
      ),
      { numRuns: 30 },
    );
  });

  it("a circuit that opened before the restart is still open after it", () => {
    const timeouts = [liveOutcome(START_MS + 100_000, { outcome: "timeout", count: 40 })];
    assert.equal(snapshotsOf(recalled(timeouts))[0]?.state, "unavailable");
  });

  it("reports its differences from the probes", () => {
    const monitor = smallMonitor();
    monitor.warmUp(START_MS + SECONDS * 1000);
    const { overlayChanges } = monitor.recall([
      liveOutcome(START_MS + 100_000, { outcome: "timeout", count: 40 }),
    ]);
    assert.deepEqual(
      overlayChanges.map(({ segment_key, from, to }) => [segment_key, from, to]),
      [["provider_1:card:USD", "healthy", "unavailable"]],
    );
    assert.deepEqual(monitor.recall([]).overlayChanges, []);
  });
});
