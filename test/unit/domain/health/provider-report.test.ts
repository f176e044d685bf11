import assert from "node:assert/strict";
import type { HealthTick } from "../../../../src/domain/health/monitor/health-tick.js";
import type { HealthMonitor } from "../../../../src/domain/health/monitor/monitor.js";
import { describe, it } from "node:test";
import { reportOverlay, type ReportedIncident } from "../../../../src/domain/health/provider-report.js";
import { createSnapshot, segmentKey, type HealthSnapshot } from "../../../../src/domain/health/snapshot.js";
import { HEALTH_STATES, type HealthState } from "../../../../src/domain/vocabulary/vocabulary.js";
import { bySegment, smallMonitor, START_MS } from "./segments.js";

const LATER_MS = START_MS + 1;

/** A snapshot from 100 samples without a lag. Its score is 100 − 10·timeoutRate·40. */
function snapshotOf(provider: string, currency: string, state: HealthState, timeoutRate = 0): HealthSnapshot {
  return createSnapshot({
    provider,
    segmentKey: segmentKey(provider, "card", currency),
    state,
    measures: {
      timeoutRate,
      error5xxRate: 0,
      throttle429Rate: 0,
      approvalRate: 0.9,
      approvalRateBaseline: 0.9,
      p95LatencyMs: 300,
      webhookLagSeconds: 0,
    },
    samples: 100,
    source: "probe",
    updatedAt: "2026-11-20T12:00:00.000Z",
  });
}
const HEALTHY = ["USD", "EUR"].flatMap((currency) =>
  ["provider_1", "provider_2"].map((provider) => snapshotOf(provider, currency, "healthy")),
);
const incident = (changes: Partial<ReportedIncident> = {}): ReportedIncident => ({
  provider: "provider_1",
  severity: "major",
  paymentMethod: null,
  currency: null,
  untilMs: LATER_MS,
  ...changes,
});
const hitBy = (...incidents: ReportedIncident[]): HealthSnapshot[] =>
  reportOverlay(HEALTHY, [], { lags: [], incidents }, START_MS);
const shown = (snapshots: readonly HealthSnapshot[]): string[] =>
  snapshots.map(({ segment_key, state }) => `${segment_key} ${state}`);

describe("incidents of provider webhooks feed health", () => {
  for (const [severity, state, codes] of [
    ["minor", "watch", ["PROVIDER_1_INCIDENT_REPORTED"]],
    ["major", "degraded", ["PROVIDER_1_INCIDENT_REPORTED"]],
    ["critical", "critical", ["HEALTH_CRITICAL", "PROVIDER_1_INCIDENT_REPORTED"]],
  ] as const) {
    it(`a ${severity} one lets its provider's segments be ${state} at best, and says so`, () => {
      const overlay = hitBy(incident({ severity }));
      assert.deepEqual(shown(overlay), [`provider_1:card:USD ${state}`, `provider_1:card:EUR ${state}`]);
      for (const { reason_codes, score, source } of overlay) {
        // A reported incident changes the state but not the score, because the contract computes the score from
        // measurements only.
        assert.deepEqual([reason_codes, score, source], [codes, 100, "probe"]);
      }
    });
  }

  it("is for its method and currency, if it names them; an unknown one affects nothing", () => {
    assert.deepEqual(shown(hitBy(incident({ currency: "EUR" }))), ["provider_1:card:EUR degraded"]);
    assert.equal(hitBy(incident({ paymentMethod: "card" })).length, 2);
    for (const scope of [{ paymentMethod: "wallet" }, { currency: "XXX" }, { provider: "provider_9" }]) {
      assert.deepEqual(hitBy(incident(scope)), []);
    }
  });

  it("the worst of several incidents holds; one that nobody closes ends by itself", () => {
    const [worst] = hitBy(incident({ severity: "critical" }), incident({ severity: "minor" }));
    assert.equal(worst?.state, "critical");
    assert.deepEqual(hitBy(incident({ untilMs: START_MS })), []);
  });

  it("never improves a state, and leaves unknown as it is", () => {
    for (const state of HEALTH_STATES) {
      const probed = [snapshotOf("provider_1", "USD", state)];
      const reports = { lags: [], incidents: [incident({ severity: "minor" })] };
      const [after = probed[0]] = reportOverlay(probed, [], reports, START_MS);
      assert.equal(after?.state, state === "healthy" ? "watch" : state);
    }
  });

  it("affects the workspace's own measurements, which stay in the view", () => {
    const live = [
      { ...snapshotOf("provider_1", "USD", "watch", 0.05), source: "partial" as const },
      { ...snapshotOf("provider_2", "KES", "healthy"), source: "live" as const },
    ];
    const overlay = reportOverlay(HEALTHY, live, { lags: [], incidents: [incident()] }, START_MS);
    assert.deepEqual(shown(overlay), [
      "provider_1:card:USD degraded",
      "provider_2:card:KES healthy",
      "provider_1:card:EUR degraded",
    ]);
    assert.deepEqual([overlay[0]?.source, overlay[0]?.score], ["partial", 80]);
  });
});

describe("HLTH-5: webhook_lag_seconds", () => {
  const lagging = (
    probed: readonly HealthSnapshot[],
    seconds: number,
    untilMs = LATER_MS,
  ): HealthSnapshot[] =>
    reportOverlay(
      probed,
      [],
      { lags: [{ provider: "provider_1", seconds, untilMs }], incidents: [] },
      START_MS,
    );

  it("takes min(5, lag/60) off the score of the provider's segments while it is recent", () => {
    for (const [seconds, score] of [
      [60, 99],
      [150, 97.5],
      [300, 95],
      [86_400, 95],
    ] as const) {
      const overlay = lagging(HEALTHY, seconds);
      assert.deepEqual(
        overlay.map(({ provider, webhook_lag_seconds, score: shownScore, state }) => [
          provider,
          webhook_lag_seconds,
          shownScore,
          state,
        ]),
        Array.from({ length: 2 }, () => ["provider_1", seconds, score, "healthy"]),
      );
    }
    assert.deepEqual(lagging(HEALTHY, 300, START_MS), []);
  });

  it("worsens a state that its score no longer reaches, and names the lag", () => {
    const [after] = lagging([snapshotOf("provider_1", "USD", "healthy", 0.03)], 300);
    assert.deepEqual(
      [after?.score, after?.state, after?.reason_codes],
      [83, "watch", ["PROVIDER_1_TIMEOUT_RATE_ELEVATED", "PROVIDER_1_WEBHOOK_LAG_ELEVATED"]],
    );
    const [open] = lagging([snapshotOf("provider_1", "USD", "unavailable")], 300);
    assert.equal(open?.state, "unavailable");
  });
});

describe("a reported incident that changes a state opens an alert, and closes it", () => {
  const HOUR_MS = 3_600_000;
  const KEY = "provider_1:card:USD";
  const overlayLines = ({ overlayChanges }: HealthTick): string[] =>
    overlayChanges
      .filter(({ segment_key, mode }) => segment_key === KEY && mode === "live")
      .map(({ workspaceId, from, to, reason_codes }) =>
        [workspaceId, `${from} → ${to}`, ...reason_codes].join(" "),
      );
  const started = (): HealthMonitor => {
    const monitor = smallMonitor();
    monitor.warmUp(START_MS);
    return monitor;
  };
  const reporting = (...incidents: ReportedIncident[]) => [{ workspaceId: "ws_a", lags: [], incidents }];
  const lasting = (changes: Partial<ReportedIncident> = {}) =>
    incident({ untilMs: START_MS + HOUR_MS, ...changes });

  it("ALRT-3: is reported at once, once, in both modes, with the incident as its first reason", () => {
    const monitor = started();
    const first = monitor.setReports(reporting(lasting({ severity: "critical" })));
    assert.deepEqual(overlayLines(first), [
      "ws_a healthy → critical PROVIDER_1_INCIDENT_REPORTED HEALTH_CRITICAL",
    ]);
    assert.ok(first.overlayChanges.some(({ mode }) => mode === "test"));
    assert.ok(first.overlayChanges.every(({ provider }) => provider === "provider_1"));
    assert.deepEqual(overlayLines(monitor.tick(START_MS + 1000)), []);
    assert.deepEqual(overlayLines(monitor.setReports(reporting(lasting({ severity: "critical" })))), []);
    assert.deepEqual(overlayLines(monitor.setReports([])), ["ws_a critical → healthy"]);
    assert.deepEqual(overlayLines(monitor.tick(START_MS + 2000)), []);
  });

  it("another severity is another state, and its own end closes it", () => {
    const monitor = started();
    monitor.setReports(reporting(lasting({ severity: "major" })));
    assert.deepEqual(overlayLines(monitor.setReports(reporting(lasting({ severity: "minor" })))), [
      "ws_a degraded → watch PROVIDER_1_INCIDENT_REPORTED",
    ]);
    monitor.setReports(reporting(incident({ untilMs: START_MS + 5000 })));
    assert.deepEqual(overlayLines(monitor.tick(START_MS + 5000)), ["ws_a degraded → healthy"]);
  });

  it("an incident that changes no state is not reported", () => {
    const monitor = started();
    assert.deepEqual(overlayLines(monitor.setReports(reporting(lasting({ provider: "provider_2" })))), []);
    assert.deepEqual(overlayLines(monitor.setReports(reporting(lasting({ currency: "EUR" })))), []);
  });

  it("is reported again after a restart, which forgets earlier reports", () => {
    const monitor = started();
    monitor.setReports(reporting(lasting()));
    assert.deepEqual(overlayLines(monitor.warmUp(START_MS + 1000)), [
      "ws_a healthy → degraded PROVIDER_1_INCIDENT_REPORTED",
    ]);
  });

  it("ALRT-3: the workspace's own outcomes do not close it while it holds; once they are as bad, they decide", () => {
    const monitor = started();
    monitor.setReports(reporting(lasting({ severity: "major" })));
    let nowMs = START_MS;
    const report = (outcome: "approved" | "timeout", count: number): string[] => {
      const segment = { provider: "provider_1", paymentMethod: "card", currency: "USD" } as const;
      const owner = { workspaceId: "ws_a", mode: "live" } as const;
      const live = { ...owner, ...segment, outcome, atMs: nowMs, latencyMs: 100, count };
      assert.ok(
        monitor.recordOutcomes(
          { ...live, technicalFailureType: null, blame: "provider", country: null, cardNetwork: null },
          nowMs,
        ),
      );
      nowMs += 1000;
      return overlayLines(monitor.tick(nowMs));
    };
    assert.deepEqual(report("approved", 50), []);
    const [worse, ...others] = report("timeout", 100);
    assert.match(worse ?? "", /^ws_a degraded → unavailable CIRCUIT_OPEN/);
    assert.deepEqual(others, []);
    assert.deepEqual(overlayLines(monitor.setReports([])), []);
  });
});

describe("reports in the view of one workspace", () => {
  it("hold in both modes, under pins, end when they are taken back, and touch nobody else", () => {
    const monitor = smallMonitor();
    monitor.warmUp(START_MS);
    const reports = { lags: [], incidents: [incident({ untilMs: START_MS + 60_000 })] };
    monitor.setReports([{ workspaceId: "ws_a", ...reports }]);
    for (const mode of ["test", "live"] as const) {
      assert.equal(bySegment(monitor.overlay("ws_a", mode), "provider_1:card:USD").state, "degraded");
      assert.deepEqual(monitor.overlay("ws_b", mode), []);
    }
    assert.deepEqual(
      monitor.overlayOwners().map(({ workspaceId, mode }) => `${workspaceId} ${mode}`),
      ["ws_a test", "ws_a live"],
    );
    monitor.setOverrides("ws_a", [
      { provider: "provider_1", paymentMethod: null, currency: null, state: "healthy", score: 95 },
    ]);
    assert.equal(bySegment(monitor.overlay("ws_a", "live"), "provider_1:card:USD").state, "healthy");
    monitor.setOverrides("ws_a", []);
    monitor.tick(START_MS + 60_000);
    assert.deepEqual(monitor.overlay("ws_a", "live"), []);
    monitor.setReports([]);
    assert.deepEqual(monitor.overlayOwners(), []);
  });
});
