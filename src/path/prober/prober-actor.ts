import { HEALTH_LIMITS } from "../../domain/health/limits.js";
import type { LiveSegmentOwner } from "../../domain/health/monitor/live-segment.js";
import type { HealthTick } from "../../domain/health/monitor/health-tick.js";
import type { HealthMonitor } from "../../domain/health/monitor/monitor.js";
import type { ChangedOwner } from "../../domain/health/monitor/live-overlays.js";
import type { HealthSnapshot } from "../../domain/health/snapshot.js";
import { RecoveryMonitor } from "../../domain/retries/recovery.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import {
  healthLevelsKey,
  healthOverlayKey,
  recoveriesKey,
  writeSnapshots,
  type ReplicaWriter,
} from "../replica/replica.js";
import type {
  Evidence,
  HealthChange,
  LearntView,
  ProberReport,
  WorkspaceOverrides,
  WorkspaceReports,
} from "./messages.js";

export interface ProberActorOptions {
  monitor: HealthMonitor;
  replica: ReplicaWriter;
  /** The pins that apply from the first tick on. */
  overrides: readonly WorkspaceOverrides[];
  /** The providers' reports at the start. */
  reports: readonly WorkspaceReports[];
  /** PROBE_INTERVAL_MS. With 0, `monitor` must have no probes. */
  intervalMs: number;
  report(report: ProberReport): void;
  /** Unix milliseconds. */
  now(): number;
}

/**
 * Runs the ticks of the health monitor. One transaction writes each tick's snapshots, and the overlays of single
 * workspaces, to the replica, where all readers see them.
 */
export function startProberActor(options: ProberActorOptions): {
  record(evidence: Evidence): void;
  /** Restores what was learnt, replays the outcomes stored since (see HealthMonitor), and shows the result at once. */
  recall(evidence: Evidence, learnt: readonly LearntView[], ticket: number): void;
  /** Reports what was learnt in all views, or in those that have changed since the last report. */
  exportLearnt(ticket: number, all: boolean): void;
  /** Reports a summary of each segment and level of one view. */
  reportDetails(workspaceId: string, mode: Mode, ticket: number): void;
  /** Replaces the pins of `workspaces`. The result is shown at once, because the next tick may be a minute away. */
  setOverrides(workspaces: readonly WorkspaceOverrides[], ticket: number): void;
  setReports(workspaces: readonly WorkspaceReports[]): void;
  stop(): void;
} {
  const { monitor, report } = options;
  const recoveries = new RecoveryMonitor();
  const intervalMs = options.intervalMs === 0 ? HEALTH_LIMITS.tickWithoutProbesMs : options.intervalMs;
  /**
   * All ticks but the first are at multiples of the interval, so that all nodes read the same probes at the same times.
   */
  const tickMs = (nowMs: number): number => Math.floor(nowMs / intervalMs) * intervalMs;
  const shown = createShownHealth(options, recoveries);
  const pin = (workspaces: readonly WorkspaceOverrides[]): void => {
    for (const { workspaceId, overrides } of workspaces) monitor.setOverrides(workspaceId, overrides);
  };

  pin(options.overrides);
  monitor.setReports(options.reports);
  const first = monitor.warmUp(options.now());
  shown.begin(first);
  report(toReport(first));
  report({ type: "ready" });
  const learning = createLearntExport(options, recoveries);
  let timer: NodeJS.Timeout;
  const scheduleTick = (): void => {
    const nowMs = options.now();
    const dueMs = tickMs(nowMs) + intervalMs;
    timer = setTimeout(() => {
      // A timer may fire a little early.
      const tick = monitor.tick(tickMs(Math.max(dueMs, options.now())));
      shown.follow(tick);
      // A change is reported only once, whether or not it could be stored.
      report(toReport(tick));
      scheduleTick();
    }, dueMs - nowMs);
  };
  scheduleTick();
  return {
    record(evidence) {
      const nowMs = options.now();
      for (const liveOutcomes of evidence.outcomes) monitor.recordOutcomes(liveOutcomes, nowMs);
      for (const retried of evidence.retries) recoveries.record(retried);
      learning.note(evidence);
    },
    recall(evidence, learnt, ticket) {
      recoveries.recall(evidence.retries, learnt);
      const tick = monitor.recall(evidence.outcomes, learnt);
      shown.startAgain(tick);
      learning.note(evidence);
      report(toReport(tick));
      report({ type: "recalled", ticket });
    },
    exportLearnt: learning.report,
    reportDetails: (workspaceId, mode, ticket) =>
      report({ type: "details", details: monitor.details(workspaceId, mode), ticket }),
    setOverrides(workspaces, ticket) {
      pin(workspaces);
      if (shown.showAgain()) report({ type: "overrides", ticket });
    },
    setReports(workspaces) {
      const reported = monitor.setReports(workspaces);
      shown.showAgain();
      if (reported.overlayChanges.length > 0) report(toReport(reported));
    },
    stop() {
      clearTimeout(timer);
      report({ type: "stopped" });
    },
  };
}

/** Reports what was learnt in all views, or in those with outcomes since the last report. */
function createLearntExport(
  { monitor, report }: Pick<ProberActorOptions, "monitor" | "report">,
  recoveries: RecoveryMonitor,
): {
  note(evidence: Evidence): void;
  report(ticket: number, all: boolean): void;
} {
  const unsaved = new Map<string, LiveSegmentOwner>();
  return {
    note({ outcomes, retries }) {
      for (const { workspaceId, mode } of [...outcomes, ...retries])
        unsaved.set(ownerKey({ workspaceId, mode }), { workspaceId, mode });
    },
    report(ticket, all) {
      const more = all ? [...monitor.learningOwners(), ...recoveries.owners()] : monitor.learningOwners(true);
      for (const owner of more) unsaved.set(ownerKey(owner), owner);
      const owners = [...unsaved.values()];
      unsaved.clear();
      const views = owners.map((owner) => {
        const learnt = monitor.learntBy(owner.workspaceId, owner.mode);
        return { ...learnt, recoveries: recoveries.learntBy(owner) };
      });
      report({ type: "learnt", ticket, views });
    },
  };
}

/** Writes the monitor's snapshots and overlays to the replica, where readers see them. */
function createShownHealth(
  { monitor, replica, report, intervalMs, now }: ProberActorOptions,
  recoveries: RecoveryMonitor,
): {
  /** Writes all snapshots and overlays for the first time. Throws if the replica cannot be written. */
  begin(tick: HealthTick): void;
  /** Writes the snapshots, and the overlays that changed. */
  follow(tick: HealthTick): void;
  /** Writes all snapshots and overlays, because the monitor was restarted. */
  startAgain(tick: HealthTick): void;
  /** Writes the current overlays. Returns false if the replica cannot be written. */
  showAgain(): boolean;
} {
  let failing = false;
  let snapshotsText = "";
  /** The owners with changes that are not written yet. Null means that all owners must be written. */
  let owners: Map<string, ChangedOwner> | null = null;
  /** RTRY-19: the owners with new results of retries. */
  const recovered = new Map<string, LiveSegmentOwner>();
  const show = (text: string | null): void => {
    for (const owner of monitor.takeChangedOwners()) owners?.set(ownerKey(owner), joined(owner, owners));
    const written = owners === null ? everyOwner(monitor) : [...owners.values()];
    for (const owner of [...recoveries.takeChanged(), ...(owners === null ? recoveries.owners() : [])])
      recovered.set(ownerKey(owner), owner);
    const texts = overlaysOf(monitor, written);
    for (const owner of recovered.values()) {
      const rows = recoveries.rows(owner, now());
      const key = recoveriesKey(owner.workspaceId, owner.mode);
      texts.set(key, rows.length === 0 ? null : JSON.stringify(rows));
    }
    replica.putHealth(text, texts, owners === null);
    owners = new Map();
    recovered.clear();
    if (failing) report({ type: "replica", error: null });
    failing = false;
  };
  /**
   * Writes what is due. If the disk is full, the last snapshots stay in the replica, and windows and circuits continue
   * in memory. The changed owners are written when there is room again.
   */
  const showAgain = (): boolean => {
    try {
      // Without probes the snapshots never change after the start, so only overlays are written.
      show(intervalMs === 0 ? null : snapshotsText);
      return true;
    } catch (error) {
      if (!failing) report({ type: "replica", error: String(error) });
      failing = true;
      return false;
    }
  };
  return {
    begin(tick) {
      snapshotsText = writeSnapshots(tick.snapshots);
      show(snapshotsText);
    },
    follow(tick) {
      if (tick.restarted) owners = null;
      snapshotsText = writeSnapshots(tick.snapshots);
      showAgain();
    },
    startAgain(tick) {
      owners = null;
      snapshotsText = writeSnapshots(tick.snapshots);
      showAgain();
    },
    showAgain,
  };
}

function ownerKey({ workspaceId, mode }: LiveSegmentOwner): string {
  return healthOverlayKey(workspaceId, mode);
}

function everyOwner(monitor: HealthMonitor): ChangedOwner[] {
  return monitor.overlayOwners().map(({ workspaceId, mode }) => ({
    workspaceId,
    mode,
    countries: monitor.levelCountries(workspaceId, mode),
  }));
}

/** Joins the countries in which an owner changed with those that wait because a write failed. */
function joined(owner: ChangedOwner, waiting: ReadonlyMap<string, ChangedOwner>): ChangedOwner {
  const before = waiting.get(ownerKey(owner));
  return before === undefined
    ? owner
    : { ...owner, countries: new Set([...before.countries, ...owner.countries]) };
}

/** The texts of the owners' overlays and levels, by key. Null removes an entry. */
function overlaysOf(monitor: HealthMonitor, owners: readonly ChangedOwner[]): Map<string, string | null> {
  const texts = new Map<string, string | null>();
  const put = (key: string, snapshots: readonly HealthSnapshot[]): unknown =>
    texts.set(key, snapshots.length === 0 ? null : writeSnapshots(snapshots));
  for (const { workspaceId, mode, countries } of owners) {
    put(healthOverlayKey(workspaceId, mode), monitor.overlay(workspaceId, mode));
    for (const country of countries)
      put(healthLevelsKey(workspaceId, mode, country), monitor.levels(workspaceId, mode, country));
  }
  return texts;
}

function toReport({ restarted, snapshots, changedStates, overlayChanges, alerts }: HealthTick): ProberReport {
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
    alerts,
  };
}
