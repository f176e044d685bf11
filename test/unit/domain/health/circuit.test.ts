import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RecentFailures } from "../../../../src/domain/health/failure-window.js";
import {
  closeUntested,
  INITIAL_HEALTH,
  shownState,
  step,
  type SegmentHealth,
} from "../../../../src/domain/health/state-machine.js";

const HEALTHY: SegmentHealth = { kind: "scored", state: "healthy", trend: null, backoff: null };
const QUIET: RecentFailures = { samples: 25, technicalFailures: 0 };
const OUTAGE: RecentFailures = { samples: 20, technicalFailures: 10 };

function sample(
  health: SegmentHealth,
  technicalFailure: boolean,
  nowMs: number,
  recent = QUIET,
): SegmentHealth {
  return step(health, { kind: "sample", technicalFailure, recent }, nowMs);
}

function tick(health: SegmentHealth, nowMs: number, recent = QUIET, samples = 750): SegmentHealth {
  return step(health, { kind: "tick", score: 100, samples, lastSampleAtMs: nowMs, recent }, nowMs);
}

function goodProbes(health: SegmentHealth, count: number, nowMs: number): SegmentHealth {
  for (let i = 0; i < count; i++) health = sample(health, false, nowMs);
  return health;
}

describe("the circuit opens at ≥50 % technical failures with n ≥20 in 10 s", () => {
  for (const { samples, technicalFailures, opens } of [
    { samples: 19, technicalFailures: 19, opens: false },
    { samples: 20, technicalFailures: 9, opens: false },
    { samples: 20, technicalFailures: 10, opens: true },
    { samples: 21, technicalFailures: 10, opens: false },
    { samples: 21, technicalFailures: 11, opens: true },
    { samples: 1000, technicalFailures: 499, opens: false },
    { samples: 1000, technicalFailures: 500, opens: true },
  ]) {
    it(`HLTH-22: ${technicalFailures} of ${samples}: ${opens ? "opens" : "stays closed"}`, () => {
      const recent = { samples, technicalFailures };
      for (const health of [HEALTHY, INITIAL_HEALTH]) {
        assert.equal(sample(health, true, 0, recent).kind === "circuit_open", opens);
        assert.equal(tick(health, 0, recent).kind === "circuit_open", opens);
      }
    });
  }

  it("it opens at once, without waiting for a second tick, and shows unavailable", () => {
    const opened = sample(HEALTHY, true, 1000, OUTAGE);
    assert.deepEqual(opened, { kind: "circuit_open", untilMs: 31_000, openMs: 30_000 });
    assert.equal(shownState(opened), "unavailable");
  });
});

describe("it stays open 30 s, doubling to 300 s", () => {
  const opened = sample(HEALTHY, true, 0, OUTAGE);

  it("takes no notice of probes or ticks before its time", () => {
    assert.equal(sample(opened, false, 29_999), opened);
    assert.equal(tick(opened, 29_999), opened);
    assert.equal(tick(opened, 29_999, QUIET, 0), opened, "an empty window does not make it unknown");
  });

  it("half-opens at 30 s, still shown as unavailable", () => {
    const halfOpen = tick(opened, 30_000);
    assert.equal(halfOpen.kind, "half_open");
    assert.equal(shownState(halfOpen), "unavailable");
  });

  it("HLTH-23: doubles each time the half-open circuit meets a bad probe: 30, 60, 120, 240, 300, 300", () => {
    let health = opened;
    const openedForMs: number[] = [];
    for (let i = 0; i < 6; i++) {
      assert.equal(health.kind, "circuit_open");
      if (health.kind !== "circuit_open") return;
      openedForMs.push(health.openMs);
      health = sample(health, true, health.untilMs);
    }
    assert.deepEqual(openedForMs, [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  });
});

describe("half-open, 5 good probes → degraded, 1 bad → open again", () => {
  const opened = sample(HEALTHY, true, 0, OUTAGE);

  it("HLTH-24: four good probes are not enough", () => {
    assert.equal(shownState(goodProbes(opened, 4, 30_000)), "unavailable");
    assert.equal(shownState(goodProbes(opened, 5, 30_000)), "degraded");
  });

  for (const good of [0, 1, 4]) {
    it(`HLTH-24: a bad probe after ${good} good ones opens it again`, () => {
      const health = sample(goodProbes(opened, good, 30_000), true, 32_000);
      assert.deepEqual(health, { kind: "circuit_open", untilMs: 92_000, openMs: 60_000 });
    });
  }

  it("good probes are counted from zero after a relapse", () => {
    const relapsed = sample(goodProbes(opened, 4, 30_000), true, 30_000);
    assert.equal(shownState(goodProbes(relapsed, 4, 90_000)), "unavailable");
    assert.equal(shownState(goodProbes(relapsed, 5, 90_000)), "degraded");
  });

  it("stays degraded while the window holds too few samples, then climbs by the usual steps", () => {
    let health = goodProbes(opened, 5, 30_000);
    for (const samples of [5, 12, 19]) {
      health = tick(health, 33_000, QUIET, samples);
      assert.equal(shownState(health), "degraded");
    }
    const shown = [1, 2, 3, 4, 5, 6].map((i) => {
      health = tick(health, 36_000 + i * 1000);
      return shownState(health);
    });
    assert.deepEqual(shown, ["degraded", "degraded", "watch", "watch", "watch", "healthy"]);
  });

  it("becomes unknown without a sample for 15 minutes", () => {
    const recovering = goodProbes(opened, 5, 30_000);
    const silent = { kind: "tick", score: 100, samples: 5, lastSampleAtMs: 30_000, recent: QUIET } as const;
    assert.equal(shownState(step(recovering, silent, 929_999)), "degraded");
    assert.equal(shownState(step(recovering, silent, 930_000)), "unknown");
  });
});

describe("HLTH-26: a circuit that no probe tests", () => {
  const opened = sample(HEALTHY, true, 0, OUTAGE);

  it("closes to degraded when its time is up, and not before", () => {
    assert.equal(closeUntested(opened, 29_999), opened);
    const closed = closeUntested(opened, 30_000);
    assert.deepEqual(closed, { kind: "recovering", backoff: { openMs: 30_000, closedAtMs: 30_000 } });
    assert.equal(shownState(closed), "degraded");
  });

  it("closes at once where it is half-open", () => {
    const closed = closeUntested(goodProbes(opened, 1, 30_000), 31_000);
    assert.deepEqual(closed, { kind: "recovering", backoff: { openMs: 30_000, closedAtMs: 31_000 } });
  });

  it("is the only one that closes: any other state stays", () => {
    for (const health of [HEALTHY, INITIAL_HEALTH, goodProbes(opened, 5, 30_000)])
      assert.equal(closeUntested(health, 60_000), health);
  });
});

describe("how the doubling is forgotten", () => {
  const closed = goodProbes(sample(HEALTHY, true, 0, OUTAGE), 5, 30_000);

  it("opening again within 300 s of closing keeps doubling", () => {
    const relapse = sample(tick(closed, 40_000), true, 329_999, OUTAGE);
    assert.deepEqual(relapse, { kind: "circuit_open", untilMs: 389_999, openMs: 60_000 });
  });

  it("a circuit that was closed for 300 s starts at 30 s again", () => {
    const again = sample(tick(closed, 40_000), true, 330_000, OUTAGE);
    assert.deepEqual(again, { kind: "circuit_open", untilMs: 360_000, openMs: 30_000 });
  });

  it("is remembered through unknown", () => {
    const unknown = tick(tick(closed, 40_000), 41_000, QUIET, 0);
    assert.equal(unknown.kind, "unknown");
    const relapse = sample(unknown, true, 50_000, OUTAGE);
    assert.ok(relapse.kind === "circuit_open" && relapse.openMs === 60_000);
  });
});
