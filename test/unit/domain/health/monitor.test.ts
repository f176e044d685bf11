import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Incident } from "../../../../src/domain/health/incident.js";
import type { HealthMonitor } from "../../../../src/domain/health/monitor/monitor.js";
import { healthScore } from "../../../../src/domain/health/score.js";
import { snapshotMeasures } from "../../../../src/domain/health/snapshot.js";
import type { HealthState } from "../../../../src/domain/vocabulary/vocabulary.js";
import { bySegment, defaultMonitor, PROVIDERS, smallMonitor, START_MS } from "./segments.js";

const KEY = "provider_1:card:USD";
const OUTAGE: Incident = {
  provider: "provider_1",
  currency: "USD",
  kind: "timeouts",
  intensity: 1,
  fromMs: START_MS,
  toMs: Infinity,
};

/** Ticks until `toMs`, and notes each state change of one segment as `[seconds since START_MS, state]`. */
function changesOf(
  monitor: HealthMonitor,
  toMs: number,
  intervalMs: number,
  key = KEY,
): [number, HealthState][] {
  const changes: [number, HealthState][] = [];
  for (let nowMs = START_MS + intervalMs; nowMs <= toMs; nowMs += intervalMs) {
    for (const { segment_key, to } of monitor.tick(nowMs).changedStates) {
      if (segment_key === key) changes.push([(nowMs - START_MS) / 1000, to]);
    }
  }
  return changes;
}

describe("at ready every probed segment already has a snapshot", () => {
  const { snapshots, changedStates } = defaultMonitor().warmUp(START_MS);

  it("FMT-15, HLTH-16: one for every provider × method × currency, each confident", () => {
    assert.equal(snapshots.length, 160);
    assert.equal(new Set(snapshots.map((snapshot) => snapshot.segment_key)).size, 160);
    for (const snapshot of snapshots) {
      assert.equal(snapshot.state, "healthy");
      assert.equal(snapshot.source, "probe");
      assert.ok(snapshot.sample_size >= 725 && snapshot.sample_size <= 750);
      assert.ok(snapshot.confidence > 93);
      assert.equal(snapshot.window_seconds, 300);
      assert.equal(snapshot.updated_at, new Date(START_MS).toISOString());
    }
    assert.equal(changedStates.length, 160);
    assert.ok(changedStates.every(({ from, to }) => from === "unknown" && to === "healthy"));
  });

  it("the score of each follows from its own fields", () => {
    for (const snapshot of snapshots) assert.equal(snapshot.score, healthScore(snapshotMeasures(snapshot)));
  });

  it("the providers differ in the inputs of routing", () => {
    const card = PROVIDERS.map((provider) => bySegment(snapshots, `${provider}:card:USD`));
    assert.equal(new Set(card.map((snapshot) => snapshot.p95_latency_ms)).size, PROVIDERS.length);
    const rates = card.map((snapshot) => snapshot.approval_rate);
    assert.ok(Math.max(...rates) - Math.min(...rates) > 0.02);
  });
});

describe("mock providers are steady", () => {
  it("every default segment stays healthy, with margin, through an hour of ticks", () => {
    const monitor = defaultMonitor({ seed: 20_261_120 });
    monitor.warmUp(START_MS);
    let lowest = 100;
    for (let nowMs = START_MS + 1000; nowMs <= START_MS + 3_600_000; nowMs += 1000) {
      const { snapshots, changedStates } = monitor.tick(nowMs);
      assert.deepEqual(changedStates, []);
      for (const { score } of snapshots) lowest = Math.min(lowest, score);
    }
    assert.ok(lowest >= 90, `lowest score ${lowest}`);
  });
});

describe("determinism and independence of PROBE_INTERVAL_MS", () => {
  it("the same seed and times give the same snapshots, byte for byte", () => {
    const run = (seed: number): string => {
      const monitor = smallMonitor({ seed });
      monitor.warmUp(START_MS);
      return JSON.stringify([1, 2, 3].map((i) => monitor.tick(START_MS + i * 1000)));
    };
    assert.equal(run(3), run(3));
    assert.notEqual(run(3), run(4));
  });

  for (const intervalMs of [100, 1000, 7_300, 60_000]) {
    it(`measures the same with a tick every ${intervalMs} ms as in one go`, () => {
      const endMs = START_MS + 219_000;
      const [often, once] = [smallMonitor(), smallMonitor()];
      for (const monitor of [often, once]) monitor.warmUp(START_MS);
      for (let nowMs = START_MS + intervalMs; nowMs < endMs; nowMs += intervalMs) often.tick(nowMs);
      assert.deepEqual(often.tick(endMs).snapshots, once.tick(endMs).snapshots);
    });

    it(`opens the circuit on probes alone with a tick every ${intervalMs} ms`, () => {
      const monitor = smallMonitor({ incidents: [OUTAGE] });
      monitor.warmUp(START_MS);
      const changes = changesOf(monitor, START_MS + Math.max(10_000, 2 * intervalMs), intervalMs);
      assert.equal(changes[0]?.[1], "unavailable");
    });
  }

  it("takes a long stop in its stride", () => {
    const monitor = smallMonitor();
    monitor.warmUp(START_MS);
    const { snapshots } = monitor.tick(START_MS + 86_400_000);
    assert.deepEqual(snapshots, smallMonitor().warmUp(START_MS + 86_400_000).snapshots);
  });

  it("waits out a clock that stepped back a little, and starts again after a large step", () => {
    const monitor = smallMonitor();
    const { snapshots } = monitor.warmUp(START_MS);
    assert.deepEqual(monitor.tick(START_MS - 5000).snapshots, snapshots);
    const back = START_MS - 3_600_000;
    assert.deepEqual(monitor.tick(back).snapshots, smallMonitor().warmUp(back).snapshots);
  });

  it("reports that earlier knowledge no longer holds after a start, and only then", () => {
    const monitor = smallMonitor();
    const stepped = [
      monitor.warmUp(START_MS),
      monitor.tick(START_MS + 1000),
      monitor.tick(START_MS - 5000),
      monitor.tick(START_MS - 3_600_000),
      monitor.tick(START_MS - 3_599_000),
    ];
    assert.deepEqual(
      stepped.map(({ restarted }) => restarted),
      [true, false, false, true, false],
    );
  });

  it("the first tick warms up where nobody did", () => {
    assert.deepEqual(smallMonitor().tick(START_MS), smallMonitor().warmUp(START_MS));
  });
});

describe("a provider's outage, end to end", () => {
  it("opens within 10 s, tests itself at 30 s, closes to degraded and climbs back step by step", () => {
    const monitor = smallMonitor({ incidents: [{ ...OUTAGE, toMs: START_MS + 20_000 }] });
    monitor.warmUp(START_MS);
    const changes = changesOf(monitor, START_MS + 700_000, 1000);
    assert.deepEqual(
      changes.map(([, state]) => state),
      ["unavailable", "degraded", "watch", "healthy"],
    );
    const [openedAt, degradedAt] = changes.map(([second]) => second) as [number, number];
    assert.ok(openedAt >= 4 && openedAt <= 10, `opened after ${openedAt} s`);
    // The circuit is open for 30 s, and then takes five probes of 400 ms.
    assert.ok(
      degradedAt - openedAt >= 30 && degradedAt - openedAt <= 34,
      `closed after ${degradedAt - openedAt} s`,
    );
  });

  it("is not probed while open, and stays unavailable, not unknown, when its window has run dry", () => {
    const monitor = smallMonitor({ incidents: [OUTAGE] });
    monitor.warmUp(START_MS);
    let fewest = Infinity;
    for (let nowMs = START_MS + 1000; nowMs <= START_MS + 1_500_000; nowMs += 1000) {
      const { state, sample_size, reason_codes } = bySegment(monitor.tick(nowMs).snapshots, KEY);
      if (nowMs < START_MS + 10_000) continue;
      assert.equal(state, "unavailable");
      assert.equal(reason_codes[0], "CIRCUIT_OPEN");
      fewest = Math.min(fewest, sample_size);
    }
    assert.ok(fewest < 20, `${fewest} samples`);
  });

  it("touches no other segment", () => {
    const [hit, quiet] = [smallMonitor({ incidents: [OUTAGE] }), smallMonitor()];
    for (const monitor of [hit, quiet]) monitor.warmUp(START_MS);
    const others = (monitor: HealthMonitor) =>
      monitor.tick(START_MS + 30_000).snapshots.filter(({ segment_key }) => segment_key !== KEY);
    assert.deepEqual(others(hit), others(quiet));
  });

  it("CODE-1: a partial outage worsens after two ticks and says why", () => {
    const monitor = smallMonitor();
    monitor.warmUp(START_MS);
    monitor.setIncidents([{ ...OUTAGE, intensity: 0.08 }]);
    const states: HealthState[] = [];
    for (let nowMs = START_MS + 1000; nowMs <= START_MS + 300_000; nowMs += 1000) {
      const [change] = monitor.tick(nowMs).changedStates;
      if (change === undefined) continue;
      assert.equal(change.segment_key, KEY);
      assert.equal(change.provider, "provider_1");
      assert.ok(change.reason_codes.includes("PROVIDER_1_TIMEOUT_RATE_ELEVATED"));
      states.push(change.to);
    }
    assert.deepEqual(states, ["watch", "degraded", "critical"]);
  });

  for (const [kind, code] of [
    ["errors_5xx", "PROVIDER_2_ERROR_5XX_RATE_ELEVATED"],
    ["throttling", "PROVIDER_2_THROTTLE_429_RATE_ELEVATED"],
    ["approval_drop", "PROVIDER_2_APPROVAL_RATE_BELOW_BASELINE"],
    ["slow", "PROVIDER_2_LATENCY_ELEVATED"],
  ] as const) {
    it(`${kind} shows as ${code}`, () => {
      const incident: Incident = {
        ...OUTAGE,
        provider: "provider_2",
        kind,
        intensity: 0.45,
        fromMs: -Infinity,
      };
      if (kind === "slow") incident.intensity = 1;
      const { snapshots } = smallMonitor({ incidents: [incident] }).warmUp(START_MS);
      assert.ok(bySegment(snapshots, "provider_2:card:USD").reason_codes.includes(code));
    });
  }
});

describe("any number of providers and currencies", () => {
  it("keeps the order given", () => {
    const monitor = defaultMonitor({
      providers: ["b", "a"],
      paymentMethods: ["wallet", "card"],
      currencies: ["JPY", "USD"],
    });
    assert.deepEqual(
      monitor.warmUp(START_MS).snapshots.map(({ segment_key }) => segment_key),
      [
        "b:wallet:JPY",
        "b:wallet:USD",
        "b:card:JPY",
        "b:card:USD",
        "a:wallet:JPY",
        "a:wallet:USD",
        "a:card:JPY",
        "a:card:USD",
      ],
    );
  });
});
