import type { LiveOutcome } from "../health/live-outcome.js";
import type { Logger } from "../telemetry/logger.js";
import { LIMITS } from "../shared/limits.js";
import { within } from "../shared/within.js";
import type { Metrics } from "../telemetry/metrics.js";
import type {
  HealthChange,
  ProberCommand,
  ProberReport,
  WorkspaceOverrides,
  WorkspaceReports,
} from "./messages.js";
import { superviseThread } from "./supervisor.js";
import type { ProberWorkerData } from "./worker-data.js";

export interface ProberThreadOptions {
  file: string;
  workerData: ProberWorkerData;
  metrics: Metrics;
  /** Of one tick; `restarted` as in the prober's report. */
  onHealthChanges(changes: readonly HealthChange[], restarted: boolean): void;
  log: Logger;
}

const STOP_TIMEOUT_MS = 1000;
/** contract §3: a pin shows within 1 s. A prober that is just being replaced starts with it. */
const OVERRIDES_SHOWN_MS_MAX = 1000;

/** The prober as the front thread sees it. */
export function superviseProber({ file, workerData, metrics, onHealthChanges, log }: ProberThreadOptions) {
  /** Read again by every thread that replaces a dead one. */
  const startData: ProberWorkerData = { ...workerData };
  const waiting = new Map<number, () => void>();
  const shownByStart: (() => void)[] = [];
  let tickets = 0;
  let onReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const thread = superviseThread<ProberCommand, ProberReport>({
    name: "prober",
    loadMsMax: LIMITS.lmdbLoadMsMax,
    file,
    workerData: startData,
    onReport(report) {
      if (report.type === "ready") {
        onReady();
        for (const shown of shownByStart.splice(0)) shown();
      }
      if (report.type === "health") {
        metrics.providerHealth(report.segments);
        if (report.restarted || report.changes.length > 0) onHealthChanges(report.changes, report.restarted);
      }
      if (report.type === "overrides") waiting.get(report.ticket)?.();
      if (report.type === "replica") {
        if (report.error === null) log.info("health snapshots are stored again");
        else log.error({ reason: report.error }, "health snapshots cannot be stored");
      }
    },
    onCrash(error) {
      metrics.workerCrashed("prober");
      log.error({ err: error }, "the prober thread died and is replaced");
    },
    // It starts with the pins of all who wait.
    onReplaced: () => shownByStart.push(...waiting.values()),
  });
  let outcomes: LiveOutcome[] = [];
  const sendOutcomes = (): void => {
    thread.send({ type: "outcomes", outcomes });
    outcomes = [];
  };
  return {
    /** Takes part from the next tick on. Those of one event-loop turn travel together. */
    recordOutcome(outcome: LiveOutcome): void {
      if (outcomes.push(outcome) === 1) setImmediate(sendOutcomes);
    },
    /** All there are. Resolves once they are shown, or after a second without an answer. */
    async setOverrides(workspaces: readonly WorkspaceOverrides[]): Promise<void> {
      startData.overrides = workspaces;
      const ticket = ++tickets;
      const shown = new Promise<void>((resolve) => waiting.set(ticket, resolve));
      thread.send({ type: "overrides", workspaces, ticket });
      await within(shown, OVERRIDES_SHOWN_MS_MAX, undefined);
      waiting.delete(ticket);
    },
    /** All there are; shown at once, and by a thread that replaces this one. */
    setReports(workspaces: readonly WorkspaceReports[]): Promise<void> {
      startData.reports = workspaces;
      thread.send({ type: "reports", workspaces });
      return Promise.resolve();
    },
    /** Resolves once every probed segment has its first snapshot. */
    ready,
    stop: () => thread.stop({ type: "stop" }, STOP_TIMEOUT_MS),
  };
}
