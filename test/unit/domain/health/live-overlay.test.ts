import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HEALTH_LIMITS } from "../../../../src/domain/health/limits.js";
import { liveSampleKind, type LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import { LiveOverlays } from "../../../../src/domain/health/monitor/live-overlays.js";
import { MockSegment } from "../../../../src/domain/health/mock-provider.js";
import type { HealthMonitor } from "../../../../src/domain/health/monitor/monitor.js";
import { ProbedSegment } from "../../../../src/domain/health/probed-segment.js";
import type { HealthSnapshot } from "../../../../src/domain/health/snapshot.js";
import { createHealthView } from "../../../../src/domain/health/view.js";
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
    monitor.tick(START_MS);
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
    monitor.tick(START_MS);
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
      to: "critical",
      reason_codes: [
        "HEALTH_CRITICAL",
        "PROVIDER_1_TIMEOUT_RATE_ELEVATED",
        "PROVIDER_1_APPROVAL_RATE_BELOW_BASELINE",
      ],
    });
  });

  it("HLTH-31: fades, failures within minutes and approvals within hours, and is gone in the end", () => {
    const monitor = warm();
    report(monitor, 60, START_MS, { outcome: "approved" });
    report(monitor, 35, START_MS, { outcome: "timeout" });
    monitor.tick(START_MS + 1000);
    const shown = (): HealthSnapshot => bySegment(monitor.overlay("ws_a", "live"), KEY);
    const atFirst = shown();
    for (let second = 2; second <= 600; second++) monitor.tick(START_MS + second * 1000);
    assert.ok(shown().timeout_rate < atFirst.timeout_rate * 0.6, `${shown().timeout_rate}`);
    for (let minute = 11; minute <= 60; minute++) monitor.tick(START_MS + minute * 60_000);
    assert.ok(shown().timeout_rate < 0.01);
    assert.equal(shown().state, "healthy");
    for (let hour = 2; hour <= 48; hour++) monitor.tick(START_MS + hour * 3_600_000);
    assert.deepEqual(monitor.overlay("ws_a", "live"), []);
    assert.deepEqual(monitor.overlayOwners(), []);
  });

  it("HLTH-31: counts a backfill as of the attempt, and not at all once that is 15 minutes ago", () => {
    const monitor = warm();
    assert.equal(monitor.recordOutcomes(liveOutcome(START_MS - HEALTH_LIMITS.staleMs), START_MS), false);
    assert.deepEqual(monitor.overlayOwners(), []);
    const [now, before] = [warm(), warm()].map((fresh, at) => {
      report(fresh, 20, START_MS, {
        outcome: "timeout",
        atMs: START_MS - at * HEALTH_LIMITS.technicalHalfLifeMs,
      });
      fresh.tick(START_MS);
      return bySegment(fresh.overlay("ws_a", "live"), KEY);
    }) as [HealthSnapshot, HealthSnapshot];
    const probed = bySegment(warm().tick(START_MS).snapshots, KEY).timeout_rate;
    // A rate is (timeouts + 50 · probed rate) / (payments + 50), for 20 timeouts and for half as many.
    assert.equal(now.timeout_rate, Math.round(((20 + 50 * probed) / 70) * 1e6) / 1e6);
    assert.equal(before.timeout_rate, Math.round(((10 + 50 * probed) / 60) * 1e6) / 1e6);
  });

  it("takes an attempt reported from the future as made now", () => {
    const ahead = warm();
    assert.equal(ahead.recordOutcomes(liveOutcome(START_MS + 86_400_000), START_MS), true);
    const now = warm();
    now.recordOutcomes(liveOutcome(START_MS), START_MS);
    for (const monitor of [ahead, now]) monitor.tick(START_MS + 1000);
    assert.deepEqual(ahead.overlay("ws_a", "live"), now.overlay("ws_a", "live"));
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
    monitor.tick(START_MS);
    assert.equal(monitor.overlay("ws_a", "live")[0]?.state, "healthy");
    report(monitor, 1, START_MS, { outcome: "timeout" });
    monitor.tick(START_MS);
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

  it("HLTH-16, HLTH-17: starts from its provider and method, and is measured from its 20th outcome on", () => {
    const monitor = warm();
    const { snapshots } = monitor.tick(START_MS);
    const answer = createHealthView("", snapshots).find("provider_1", "card", "ZAR");
    report(monitor, 19, START_MS, { currency: "ZAR" });
    monitor.tick(START_MS + 1000);
    const before = bySegment(monitor.overlay("ws_a", "live"), ZAR);
    assert.deepEqual([before.source, before.state], ["partial", "healthy"]);
    report(monitor, 1, START_MS + 1000, { currency: "ZAR" });
    monitor.tick(START_MS + 2000);
    const snapshot = bySegment(monitor.overlay("ws_a", "live"), ZAR);
    assert.deepEqual([snapshot.source, snapshot.state], ["live", "healthy"]);
    assert.ok(snapshot.confidence >= answer.confidence);
    assert.ok(snapshot.approval_rate > before.approval_rate && before.approval_rate > answer.approval_rate);
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

  it("holds at most levelsMax segments with their levels, and lets go of the one that waited longest for an outcome", () => {
    // Each segment has a level for the country of its outcomes.
    const overlays = new LiveOverlays(segments, 3 * 2);
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
    assert.deepEqual(overlays.snapshots("ws_2", "live"), []);
  });

  it("lets go of a segment of which next to nothing is left", () => {
    const overlays = new LiveOverlays(segments);
    overlays.record(liveOutcome(START_MS), START_MS);
    overlays.tick(START_MS + HEALTH_LIMITS.approvalHalfLifeMs - 60_000, false);
    assert.equal(overlays.size, 1);
    overlays.tick(START_MS + HEALTH_LIMITS.approvalHalfLifeMs + 60_000, false);
    assert.equal(overlays.size, 0);
  });
});
