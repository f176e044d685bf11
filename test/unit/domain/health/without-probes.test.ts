import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { HEALTH_LIMITS } from "../../../../src/domain/health/limits.js";
import type { LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import type { HealthMonitor } from "../../../../src/domain/health/monitor/monitor.js";
import type { HealthSnapshot } from "../../../../src/domain/health/snapshot.js";
import { createHealthView } from "../../../../src/domain/health/view.js";
import { defaultMonitor, liveOutcome, smallMonitor, START_MS } from "./segments.js";

const KEY = "provider_1:card:USD";

function unprobed(): HealthMonitor {
  const monitor = smallMonitor({ hasProbes: false });
  monitor.warmUp(START_MS);
  return monitor;
}
/** The figures of a snapshot that say how good the provider is. */
const figuresOf = (snapshot: HealthSnapshot | undefined): (number | undefined)[] => [
  snapshot?.approval_rate,
  snapshot?.approval_rate_baseline,
  snapshot?.p95_latency_ms,
  snapshot?.webhook_lag_seconds,
];
const steps = fc.array(
  fc.record({
    outcome: fc.constantFrom("approved", "approved", "soft_declined", "hard_declined", "timeout"),
    blame: fc.constantFrom("provider", "customer"),
    latencyMs: fc.constantFrom(80, 300, 9000),
    count: fc.constantFrom(1, 5, 30),
    currency: fc.constantFrom("USD", "ZAR"),
    pauseSeconds: fc.constantFrom(0, 1, 60),
  }),
  { minLength: 1, maxLength: 10 },
);
const report = (monitor: HealthMonitor, count: number, atMs: number, fields: Partial<LiveOutcomes> = {}) =>
  monitor.recordOutcomes(liveOutcome(atMs, { count, ...fields }), atMs);

describe("HLTH-26: provider health without probes", () => {
  it("every segment is there and unknown, however long it is looked at", () => {
    const monitor = smallMonitor({ hasProbes: false });
    const ticks = [0, 1000, 3_600_000].map((passedMs) => monitor.tick(START_MS + passedMs));
    for (const { snapshots, changedStates } of ticks) {
      assert.deepEqual(
        snapshots.map(({ segment_key, state, sample_size, source }) => [
          segment_key,
          state,
          sample_size,
          source,
        ]),
        ["provider_1", "provider_2"].flatMap((provider) =>
          ["USD", "EUR"].map((currency) => [`${provider}:card:${currency}`, "unknown", 0, "unknown"]),
        ),
      );
      assert.deepEqual(changedStates, []);
    }
  });

  it("what nobody has measured is assumed alike of every provider, method and currency", () => {
    const { snapshots } = defaultMonitor({ hasProbes: false }).tick(START_MS);
    const unprobed = createHealthView("view", snapshots).find("provider_4", "wallet", "ZAR");
    assert.equal(snapshots.length, 160);
    for (const snapshot of [...snapshots, unprobed]) {
      assert.deepEqual(figuresOf(snapshot), [0.93, 0.93, 0, 0], snapshot.segment_key);
    }
  });

  it("nothing depends on the mock providers, whatever outcomes say", () => {
    fc.assert(
      fc.property(steps, (history) => {
        const seen = [1, 2].map((seed) => {
          const monitor = smallMonitor({ hasProbes: false, seed });
          monitor.warmUp(START_MS);
          let nowMs = START_MS;
          for (const { pauseSeconds, ...fields } of history) {
            nowMs += pauseSeconds * 1000;
            for (const provider of ["provider_1", "provider_2"])
              monitor.recordOutcomes(liveOutcome(nowMs, { ...fields, provider }), nowMs);
            monitor.tick(nowMs);
          }
          return monitor.overlay("ws_a", "live");
        });
        assert.deepEqual(seen[0], seen[1]);
        const [one, other] = ["provider_1", "provider_2"].map((name) =>
          (seen[0] ?? []).filter(({ provider }) => provider === name),
        );
        assert.deepEqual(
          one?.map(({ score, ...snapshot }) => [score, ...figuresOf(snapshot as HealthSnapshot)]),
          other?.map(({ score, ...snapshot }) => [score, ...figuresOf(snapshot as HealthSnapshot)]),
        );
      }),
      { numRuns: 50 },
    );
  });

  it("HLTH-28: latency and webhook lag are 0 before and after outcomes score a segment", () => {
    const monitor = unprobed();
    const shownAfter = (count: number, second: number): HealthSnapshot | undefined => {
      report(monitor, count, START_MS + second * 1000, { latencyMs: 9000 });
      monitor.tick(START_MS + second * 1000);
      return monitor.overlay("ws_a", "live")[0];
    };
    for (const [count, state] of [
      [1, "unknown"],
      [50, "healthy"],
    ] as const) {
      const shown = shownAfter(count, count);
      assert.deepEqual([shown?.state, ...figuresOf(shown)], [state, 1, 0.93, 0, 0]);
    }
    const p95LatencyMs = monitor.details("ws_a", "live")[0]?.p95LatencyMs ?? NaN;
    assert.ok(Math.abs(p95LatencyMs / 9000 - 1) <= 0.05, "the outcomes' own is shown apart");
  });

  it("OUT-4, HLTH-9, HLTH-16: outcomes alone score a segment, in their own view, once they are enough", () => {
    const monitor = unprobed();
    report(monitor, HEALTH_LIMITS.classifySamplesMin - 1, START_MS);
    monitor.tick(START_MS + 1000);
    const [early] = monitor.overlay("ws_a", "live");
    assert.deepEqual(
      [early?.segment_key, early?.state, early?.source, early?.sample_size],
      [KEY, "unknown", "unknown", HEALTH_LIMITS.classifySamplesMin - 1],
    );
    report(monitor, 1, START_MS + 1000);
    const { overlayChanges } = monitor.tick(START_MS + 2000);
    assert.deepEqual(
      overlayChanges.map(({ from, to, segment_key }) => [segment_key, from, to]),
      [[KEY, "unknown", "healthy"]],
    );
    const [shown, ...others] = monitor.overlay("ws_a", "live");
    assert.deepEqual(others, []);
    assert.deepEqual(
      [shown?.segment_key, shown?.state, shown?.source, shown?.sample_size],
      [KEY, "healthy", "live", HEALTH_LIMITS.classifySamplesMin],
    );
    assert.deepEqual(monitor.overlay("ws_a", "test"), []);
    assert.deepEqual(monitor.overlay("ws_b", "live"), []);
  });

  it("HLTH-11: outcomes from before a start are learnt as ever", () => {
    const monitor = unprobed();
    const { overlayChanges } = monitor.recall([
      liveOutcome(START_MS - 5000, { outcome: "timeout", count: 25 }),
    ]);
    assert.deepEqual(
      overlayChanges.map(({ to }) => to),
      ["unavailable"],
    );
    assert.equal(monitor.overlay("ws_a", "live")[0]?.state, "unavailable");
  });

  it("ALRT-7, ALRT-8: a pin is shown", () => {
    const monitor = unprobed();
    monitor.setOverrides("ws_a", [
      { provider: "provider_1", paymentMethod: null, currency: "USD", state: "critical", score: 35 },
    ]);
    assert.deepEqual(
      monitor
        .overlay("ws_a", "live")
        .map(({ segment_key, state, score, source }) => [segment_key, state, score, source]),
      [[KEY, "critical", 35, "demo"]],
    );
  });

  it("HLTH-22, HLTH-23: a circuit opens on payments, closes to degraded when its time is up, and soon again opens for longer", () => {
    const monitor = unprobed();
    const states: [number, string][] = [];
    const tickUntil = (endSeconds: number, beginSeconds: number): void => {
      for (let second = beginSeconds; second <= endSeconds; second++) {
        const { overlayChanges } = monitor.tick(START_MS + second * 1000);
        for (const { to } of overlayChanges) states.push([second, to]);
      }
    };
    // There were approvals before, so the score alone would give the segment a better state than the circuit does.
    report(monitor, 200, START_MS);
    tickUntil(15, 1);
    report(monitor, 25, START_MS + 15_000, { outcome: "timeout" });
    tickUntil(45, 16);
    assert.deepEqual(states, [
      [1, "healthy"],
      [16, "unavailable"],
      [45, "degraded"],
    ]);
    report(monitor, 25, START_MS + 46_000, { outcome: "timeout" });
    tickUntil(106, 46);
    assert.deepEqual(states.slice(3), [
      [46, "unavailable"],
      [106, "degraded"],
    ]);
  });

  it("HLTH-19: a circuit that nothing comes back from is degraded until it is stale, and then unknown", () => {
    const monitor = unprobed();
    report(monitor, 25, START_MS, { outcome: "timeout" });
    let last: string | undefined;
    for (let second = 1; second <= 890; second++) {
      for (const { to } of monitor.tick(START_MS + second * 1000).overlayChanges) last = to;
    }
    assert.equal(last, "degraded");
    for (let second = 891; second <= 910; second++) {
      for (const { to } of monitor.tick(START_MS + second * 1000).overlayChanges) last = to;
    }
    assert.equal(last, "unknown");
    assert.deepEqual(monitor.overlay("ws_a", "live"), []);
  });
});
