import type { LiveDetail } from "../../domain/health/monitor/live-level.js";
import type { Logger } from "../../platform/telemetry/logger.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Metrics } from "../../platform/telemetry/metrics.js";
import type {
  Evidence,
  HealthChange,
  LearntView,
  ProberCommand,
  ProberReport,
  WorkspaceOverrides,
  WorkspaceReports,
  ProberWorkerData,
} from "./messages.js";
import type { OutcomeAlertChange } from "../../domain/health/monitor/outcome-alert.js";
import { createTickets } from "../../platform/threads/tickets.js";
import { superviseThread } from "../../platform/threads/supervisor.js";

export interface ProberThreadOptions {
  file: string;
  workerData: ProberWorkerData;
  metrics: Metrics;
  /** Receives the changes of one tick. `restarted` has the value from the prober's report. */
  onHealthChanges(changes: readonly HealthChange[], restarted: boolean): void;
  /** Receives the alerts that outcomes opened and closed. */
  onOutcomeAlerts(changes: readonly OutcomeAlertChange[]): void;
  log: Logger;
}

const STOP_TIMEOUT_MS = 1000;
/** ALRT-7: a pin is shown within 1 s. If the prober is just being replaced, the new one starts with the pin. */
const SHOWN_MS_MAX = 1000;
/**
 * Replaying five minutes takes well under a second, or a few seconds on a slow host. After this time a hanging prober
 * no longer delays the node's start.
 */
const RECALLED_MS_MAX = 30_000;

/** A full export of 16,384 segments takes about 200 ms. */
const EXPORTED_MS_MAX = 10_000;

/** The front thread's handle on the prober. */
export function superviseProber(options: ProberThreadOptions) {
  const { file, workerData, metrics, onHealthChanges, onOutcomeAlerts, log } = options;
  /** A thread that replaces a dead one starts with this data, so it is kept up to date. */
  const startData: ProberWorkerData = { ...workerData };
  const pins = new Map(workerData.overrides.map((workspace) => [workspace.workspaceId, workspace]));
  const shown = createTickets<void>();
  const questions = createQuestions((command) => thread.send(command));
  const shownByStart: (() => void)[] = [];
  const replacedListeners: (() => void)[] = [];
  let onReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const thread = superviseThread<ProberCommand, ProberReport>({
    name: "prober",
    loadMsMax: TUNING.lmdbLoadMsMax,
    file,
    workerData: startData,
    onReport(report) {
      if (report.type === "ready") {
        onReady();
        for (const confirm of shownByStart.splice(0)) confirm();
      }
      if (report.type === "health") {
        metrics.providerHealth(report.segments);
        if (report.restarted || report.changes.length > 0) onHealthChanges(report.changes, report.restarted);
        if (report.alerts.length > 0) onOutcomeAlerts(report.alerts);
      }
      if (report.type === "overrides" || report.type === "recalled") shown.answer(report.ticket);
      questions.hear(report);
      if (report.type === "replica") logStoring(log, report.error);
    },
    onCrash(error) {
      metrics.workerCrashed("prober");
      log.error({ err: error }, "the prober thread died and is replaced");
    },
    onReplaced() {
      // The new thread starts with the pins of all waiting callers.
      shownByStart.push(...shown.waiting());
      questions.giveUp();
      for (const noteReplaced of replacedListeners) noteReplaced();
    },
  });
  return {
    /** Sends outcomes, which take effect at the next tick. */
    record: ({ outcomes, retries }: Evidence): unknown =>
      thread.send({ type: "outcomes", evidence: { outcomes, retries } }),
    /**
     * Restores what was learnt, and replays the outcomes stored since. Resolves when the result is shown. The node is
     * not ready earlier.
     */
    recall: (evidence: Evidence, learnt: readonly LearntView[]): Promise<void> =>
      shown.ask((ticket) => thread.send({ type: "recall", evidence, learnt, ticket }), RECALLED_MS_MAX),
    exportLearnt: questions.exportLearnt,
    details: questions.details,
    /** Replaces the pins of `workspaces`. Resolves when they are shown, or after a second without an answer. */
    async setOverrides(workspaces: readonly WorkspaceOverrides[]): Promise<void> {
      for (const changed of workspaces) {
        if (changed.overrides.length === 0) pins.delete(changed.workspaceId);
        else pins.set(changed.workspaceId, changed);
      }
      startData.overrides = [...pins.values()];
      await shown.ask((ticket) => thread.send({ type: "overrides", workspaces, ticket }), SHOWN_MS_MAX);
    },
    /** Replaces all reports. They are shown at once. A thread that replaces this one starts with them. */
    setReports(workspaces: readonly WorkspaceReports[]): Promise<void> {
      startData.reports = workspaces;
      thread.send({ type: "reports", workspaces });
      return Promise.resolve();
    },
    /** `listener` is called whenever a new thread has replaced a dead one, because the new thread has no outcomes. */
    onReplaced: (listener: () => void): unknown => replacedListeners.push(listener),
    /** Resolves when every probed segment has its first snapshot. */
    ready,
    stop: () => thread.stop({ type: "stop" }, STOP_TIMEOUT_MS),
  };
}

/** Requests that the prober answers with a report. */
function createQuestions(send: (command: ProberCommand) => void) {
  const exported = createTickets<LearntView[] | null>();
  const detailed = createTickets<LiveDetail[] | null>();
  return {
    hear(report: ProberReport): void {
      if (report.type === "learnt") exported.answer(report.ticket, report.views);
      if (report.type === "details") detailed.answer(report.ticket, report.details);
    },
    /** Answers null to all pending requests, because the thread has died. */
    giveUp(): void {
      for (const answer of [...exported.waiting(), ...detailed.waiting()]) answer(null);
    },
    /**
     * Resolves to what was learnt from all outcomes sent before the call: in all views, or in those that changed since
     * the last export. Null if the prober does not answer.
     */
    exportLearnt: (all: boolean): Promise<LearntView[] | null> =>
      exported.ask((ticket) => send({ type: "export", all, ticket }), EXPORTED_MS_MAX, null),
    /** Resolves to a summary of each segment and level of one view. Null if the prober does not answer. */
    details: (workspaceId: string, mode: Mode): Promise<LiveDetail[] | null> =>
      detailed.ask((ticket) => send({ type: "details", workspaceId, mode, ticket }), SHOWN_MS_MAX, null),
  };
}

function logStoring(log: Logger, reason: string | null): void {
  if (reason === null) log.info("health snapshots are stored again");
  else log.error({ reason }, "health snapshots cannot be stored");
}
