import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HEALTH_LIMITS } from "../../../../src/domain/health/limits.js";
import { liveSampleKind, type LiveOutcomes } from "../../../../src/domain/health/live-outcome.js";
import { LiveOverlays } from "../../../../src/domain/health/live-overlays.js";
import { MockSegment } from "../../../../src/domain/health/mock-provider.js";
import type { HealthMonitor } from "../../../../src/domain/health/monitor.js";
import { ProbedSegment } from "../../../../src/domain/health/probed-segment.js";
import type { HealthState } from "../../../../src/domain/vocabulary/vocabulary.js";
import { bySegment, liveOutcome, smallMonitor, START_MS } from "./segments.js";

const KEY = "provider_1:card:USD";

function report(
  monitor: HealthMonitor,
  count: number,
  atMs: number,
  fields: Partial<LiveOutcomes> = {},
): void {
  for (let i = 0; i < count; i++) assert.equal(monitor.recordOutcomes(liveOutcome(atMs, fields), atMs), true);
}

function warm(): HealthMonitor {
  const monitor = smallMonitor();
  monitor.warmUp(START_MS);
  return monitor;
}

describe("OUT-4: outcomes as samples of provider health", () => {
  for (const [outcome, type, kind] of [
    ["approved", null, "approved"],
    ["soft_declined", null, "soft_declined"],
    ["hard_declined", null, "hard_declined"],
    ["timeout", null, "timeout"],
    ["rate_limited", null, "throttled_429"],
    ["technical_failed", null, "error_5xx"],
    ["technical_failed", "5xx", "error_5xx"],
    ["technical_failed", "connection", "error_5xx"],
    ["technical_failed", "unknown", "error_5xx"],
    ["technical_failed", "timeout", "timeout"],
    ["technical_failed", "rate_limited", "throttled_429"],
    ["soft_declined", "timeout", "soft_declined"],
    ["blocked", null, null],
    ["step_up_completed", null, null],
    ["step_up_failed", null, null],
  ] as const) {
    it(`${outcome}${type === null ? "" : ` of type ${type}`}: ${kind ?? "not a sample"}`, () => {
      assert.equal(liveSampleKind(outcome, type), kind);
      assert.equal(
        warm().recordOutcomes(liveOutcome(START_MS, { outcome, technicalFailureType: type }), START_MS),
        kind !== null,
      );
    });
  }
});

describe("live outcomes overlay the view of their own workspace and mode", () => {
  it("HLTH-9, HLTH-16, SVC-3: adds them to the probes, source partial", () => {
    const monitor = warm();
    const probed = bySegment(monitor.tick(START_MS).snapshots, KEY);
    report(monitor, 30, START_MS, { outcome: "timeout", latencyMs: 9000 });
    const [overlay, ...others] = monitor.overlay("ws_a", "live");
    assert.deepEqual(others, []);
    assert.equal(overlay?.segment_key, KEY);
    assert.equal(overlay.source, "partial");
    assert.equal(overlay.sample_size, probed.sample_size + 30);
    assert.ok(overlay.timeout_rate > probed.timeout_rate + 0.03);
    assert.equal(overlay.approval_rate_baseline, probed.approval_rate_baseline);
  });

  it("HLTH-9: they leave the other mode, other workspaces and the probes as they are", () => {
    const [hit, quiet] = [warm(), warm()];
    report(hit, 200, START_MS, { outcome: "timeout" });
    assert.deepEqual(hit.overlay("ws_a", "test"), []);
    assert.deepEqual(hit.overlay("ws_b", "live"), []);
    assert.deepEqual(hit.overlayOwners(), [{ workspaceId: "ws_a", mode: "live" }]);
    for (let i = 1; i <= 30; i++) {
      const [a, b] = [hit.tick(START_MS + i * 1000), quiet.tick(START_MS + i * 1000)];
      assert.deepEqual(a.snapshots, b.snapshots);
      assert.deepEqual(a.changedStates, b.changedStates);
    }
  });

  it("two workspaces with opposite experiences each see their own", () => {
    const monitor = warm();
    report(monitor, 40, START_MS, {
      workspaceId: "ws_a",
      outcome: "technical_failed",
      technicalFailureType: "5xx",
    });
    report(monitor, 40, START_MS, { workspaceId: "ws_b", outcome: "approved" });
    report(monitor, 40, START_MS, { workspaceId: "ws_b", mode: "test", outcome: "rate_limited" });
    const state = (workspaceId: string, mode: "live" | "test"): HealthState | undefined =>
      monitor.overlay(workspaceId, mode)[0]?.state;
    assert.equal(state("ws_a", "live"), "unavailable");
    assert.equal(state("ws_b", "live"), "healthy");
    assert.equal(state("ws_b", "test"), "unavailable");
  });

  it("worsens by the usual two ticks and reports the change as the workspace's own", () => {
    const monitor = warm();
    report(monitor, 60, START_MS, { outcome: "approved" });
    report(monitor, 35, START_MS, { outcome: "timeout" });
    assert.deepEqual(monitor.tick(START_MS + 1000).overlayChanges, []);
    const [change, ...others] = monitor.tick(START_MS + 2000).overlayChanges;
    assert.deepEqual(others, []);
    assert.deepEqual(change, {
      workspaceId: "ws_a",
      mode: "live",
      segment_key: KEY,
      provider: "provider_1",
      from: "healthy",
      to: "watch",
      reason_codes: ["PROVIDER_1_TIMEOUT_RATE_ELEVATED", "PROVIDER_1_APPROVAL_RATE_BELOW_BASELINE"],
    });
  });

  it("is gone, change reported, once the outcomes have left the window", () => {
    const monitor = warm();
    report(monitor, 60, START_MS, { outcome: "approved" });
    report(monitor, 35, START_MS, { outcome: "timeout" });
    const states: HealthState[] = [];
    for (let i = 1; i <= 301; i++) {
      for (const { to } of monitor.tick(START_MS + i * 1000).overlayChanges) states.push(to);
    }
    assert.deepEqual(states, ["watch", "healthy"]);
    assert.deepEqual(monitor.overlay("ws_a", "live"), []);
    assert.deepEqual(monitor.overlayOwners(), []);
  });

  it("counts a backfill at the time of the attempt, and not at all once that is 5 minutes ago", () => {
    const monitor = warm();
    assert.equal(monitor.recordOutcomes(liveOutcome(START_MS - 300_000), START_MS), false);
    assert.deepEqual(monitor.overlayOwners(), []);
    assert.equal(monitor.recordOutcomes(liveOutcome(START_MS - 200_000), START_MS), true);
    monitor.tick(START_MS + 60_000);
    assert.equal(monitor.overlay("ws_a", "live").length, 1);
    monitor.tick(START_MS + 110_000);
    assert.equal(monitor.overlay("ws_a", "live").length, 0);
  });

  it("takes an attempt reported from the future as made now", () => {
    const monitor = warm();
    assert.equal(monitor.recordOutcomes(liveOutcome(START_MS + 86_400_000), START_MS), true);
    monitor.tick(START_MS + 301_000);
    assert.deepEqual(monitor.overlay("ws_a", "live"), []);
  });

  it("ignores providers that are not configured", () => {
    assert.equal(warm().recordOutcomes(liveOutcome(START_MS, { provider: "provider_9" }), START_MS), false);
    assert.equal(warm().recordOutcomes(liveOutcome(START_MS, { paymentMethod: "wallet" }), START_MS), false);
  });
});

describe("a workspace's own circuit", () => {
  it("opens on its own failing payments, however well the probes do", () => {
    const monitor = warm();
    report(monitor, 10, START_MS, { outcome: "approved" });
    report(monitor, 9, START_MS, { outcome: "timeout" });
    assert.equal(monitor.overlay("ws_a", "live")[0]?.state, "healthy");
    report(monitor, 1, START_MS, { outcome: "timeout" });
    const [overlay] = monitor.overlay("ws_a", "live");
    assert.equal(overlay?.state, "unavailable");
    assert.equal(overlay.reason_codes[0], "CIRCUIT_OPEN");
  });

  it("is tested by the probes after 30 s, and closes to degraded", () => {
    const monitor = warm();
    report(monitor, 20, START_MS, { outcome: "timeout" });
    const changes: [number, HealthState][] = [];
    for (let i = 1; i <= 60; i++) {
      for (const { to } of monitor.tick(START_MS + i * 1000).overlayChanges) changes.push([i, to]);
    }
    assert.deepEqual(changes[0], [1, "unavailable"]);
    const [closedAfter, state] = changes[1] as [number, HealthState];
    assert.equal(state, "degraded");
    assert.ok(closedAfter >= 31 && closedAfter <= 34, `closed after ${closedAfter} s`);
  });
});

describe("a currency that is not probed", () => {
  const ZAR = "provider_1:card:ZAR";

  it("HLTH-16: answers from live outcomes alone once 20 of them can be scored", () => {
    const monitor = warm();
    report(monitor, 19, START_MS, { currency: "ZAR" });
    monitor.tick(START_MS + 1000);
    assert.deepEqual(monitor.overlay("ws_a", "live"), []);
    report(monitor, 1, START_MS + 1000, { currency: "ZAR" });
    monitor.tick(START_MS + 2000);
    const snapshot = bySegment(monitor.overlay("ws_a", "live"), ZAR);
    assert.equal(snapshot.source, "live");
    assert.equal(snapshot.sample_size, 20);
    assert.equal(snapshot.state, "healthy");
    assert.equal(snapshot.approval_rate, 1);
  });

  it("has its circuit tested on the probes of its provider and method", () => {
    const monitor = warm();
    report(monitor, 20, START_MS, { currency: "ZAR", outcome: "timeout" });
    const states: HealthState[] = [];
    for (let i = 1; i <= 40; i++) {
      for (const { to, segment_key } of monitor.tick(START_MS + i * 1000).overlayChanges) {
        assert.equal(segment_key, ZAR);
        states.push(to);
      }
    }
    assert.deepEqual(states.slice(0, 2), ["unavailable", "degraded"]);
  });
});

describe("memory is bounded", () => {
  const mock = new MockSegment(1, "provider_1", 0, "card", "USD");
  const probed = new ProbedSegment(mock, START_MS - HEALTH_LIMITS.windowMs);
  const segments = { find: (key: string) => (key === KEY ? probed : undefined), siblings: () => [probed] };

  it("holds at most segmentsMax, and lets go of the one that waited longest for an outcome", () => {
    const overlays = new LiveOverlays(segments, 3);
    for (const workspaceId of ["ws_1", "ws_2", "ws_3", "ws_1", "ws_4"]) {
      overlays.record(liveOutcome(START_MS, { workspaceId }), START_MS);
    }
    assert.equal(overlays.size, 3);
    assert.deepEqual(
      overlays
        .owners()
        .map(({ workspaceId }) => workspaceId)
        .toSorted(),
      ["ws_1", "ws_3", "ws_4"],
    );
    assert.deepEqual(overlays.snapshots("ws_2", "live", ""), []);
  });

  it("lets go of a segment whose circuit nobody tests after 15 minutes", () => {
    const overlays = new LiveOverlays(segments);
    for (let i = 0; i < 20; i++) overlays.record(liveOutcome(START_MS, { outcome: "timeout" }), START_MS);
    overlays.tick(START_MS + HEALTH_LIMITS.overlayIdleMs - 1);
    assert.equal(overlays.size, 1);
    overlays.tick(START_MS + HEALTH_LIMITS.overlayIdleMs);
    assert.equal(overlays.size, 0);
  });
});
