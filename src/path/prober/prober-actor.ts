import type { LiveOutcomes } from "../../domain/health/live-outcome.js";
import type { HealthMonitor, HealthTick } from "../../domain/health/monitor.js";
import { serializeSnapshots } from "../../domain/health/view.js";
import { healthOverlayKey, type ReplicaWriter } from "../replica/replica.js";
import type { HealthChange, ProberReport, WorkspaceOverrides, WorkspaceReports } from "./messages.js";

export interface ProberActorOptions {
  monitor: HealthMonitor;
  replica: ReplicaWriter;
  /** What is pinned from the first tick on. */
  overrides: readonly WorkspaceOverrides[];
  /** What providers have said of themselves by then. */
  reports: readonly WorkspaceReports[];
  intervalMs: number;
  report(report: ProberReport): void;
  /** Unix milliseconds. */
  now(): number;
}

/**
 * Owns the clock of the health monitor: each tick's snapshots go to the replica, with what single workspaces see
 * otherwise, in one transaction; every reader sees them next.
 */
export function startProberActor(options: ProberActorOptions): {
  record(outcomes: readonly LiveOutcomes[]): void;
  /** See HealthMonitor. Shown at once. */
  recall(outcomes: readonly LiveOutcomes[], ticket: number): void;
  /** What these workspaces pin now, in the place of what they did. Shown at once: PROBE_INTERVAL_MS may be a minute. */
  setOverrides(workspaces: readonly WorkspaceOverrides[], ticket: number): void;
  setReports(workspaces: readonly WorkspaceReports[]): void;
  stop(): void;
} {
  const { monitor, replica, report } = options;
  /** All ticks but the first are at multiples of their interval, so that nodes look at the same probes at the same times. */
  const tickMs = (nowMs: number): number => Math.floor(nowMs / options.intervalMs) * options.intervalMs;
  let failing = false;
  let snapshotsText = "";

  const publish = (): void => {
    replica.putHealth(snapshotsText, overlaysOf(monitor));
    if (failing) report({ type: "replica", error: null });
    failing = false;
  };
  /** A full disk: the last snapshots stay, and windows and circuits go on in memory until there is room again. */
  const publishIfPossible = (): boolean => {
    try {
      publish();
      return true;
    } catch (error) {
      if (!failing) report({ type: "replica", error: String(error) });
      failing = true;
      return false;
    }
  };
  const pin = (workspaces: readonly WorkspaceOverrides[]): void => {
    for (const { workspaceId, overrides } of workspaces) monitor.setOverrides(workspaceId, overrides);
  };

  pin(options.overrides);
  monitor.setReports(options.reports);
  const first = monitor.warmUp(options.now());
  snapshotsText = serializeSnapshots(first.snapshots);
  publish();
  report(toReport(first));
  report({ type: "ready" });
  let timer: NodeJS.Timeout;
  const scheduleTick = (): void => {
    const nowMs = options.now();
    const dueMs = tickMs(nowMs) + options.intervalMs;
    timer = setTimeout(() => {
      // A timer may fire a little early.
      const tick = monitor.tick(tickMs(Math.max(dueMs, options.now())));
      snapshotsText = serializeSnapshots(tick.snapshots);
      publishIfPossible();
      // Whether or not it could be stored: a change is told once.
      report(toReport(tick));
      scheduleTick();
    }, dueMs - nowMs);
  };
  scheduleTick();
  return {
    record(outcomes) {
      const nowMs = options.now();
      for (const said of outcomes) monitor.recordOutcomes(said, nowMs);
    },
    recall(outcomes, ticket) {
      const tick = monitor.recall(outcomes);
      snapshotsText = serializeSnapshots(tick.snapshots);
      publishIfPossible();
      report(toReport(tick));
      report({ type: "recalled", ticket });
    },
    setOverrides(workspaces, ticket) {
      pin(workspaces);
      if (publishIfPossible()) report({ type: "overrides", ticket });
    },
    setReports(workspaces) {
      const reported = monitor.setReports(workspaces);
      publishIfPossible();
      if (reported.overlayChanges.length > 0) report(toReport(reported));
    },
    stop() {
      clearTimeout(timer);
      report({ type: "stopped" });
    },
  };
}

function overlaysOf(monitor: HealthMonitor): Map<string, string> {
  const overlays = new Map<string, string>();
  for (const { workspaceId, mode } of monitor.overlayOwners()) {
    const snapshots = monitor.overlay(workspaceId, mode);
    if (snapshots.length > 0) {
      overlays.set(healthOverlayKey(workspaceId, mode), serializeSnapshots(snapshots));
    }
  }
  return overlays;
}

function toReport({ restarted, snapshots, changedStates, overlayChanges }: HealthTick): ProberReport {
  const changes: HealthChange[] = [];
  for (const { segment_key: segmentKey, provider, to, reason_codes: reasonCodes } of changedStates) {
    changes.push({ owner: null, provider, segmentKey, state: to, reasonCodes });
  }
  for (const { workspaceId, mode, segment_key: segmentKey, provider, to, reason_codes } of overlayChanges) {
    const owner = { workspaceId, mode };
    changes.push({ owner, provider, segmentKey, state: to, reasonCodes: reason_codes });
  }
  return {
    type: "health",
    segments: snapshots.map(({ provider, segment_key, score, state }) => ({
      provider,
      segmentKey: segment_key,
      score,
      state,
    })),
    restarted,
    changes,
  };
}
