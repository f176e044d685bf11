import { FAILURE_CLASSES } from "../../domain/outcomes/classification.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Logger } from "../../platform/telemetry/logger.js";
import type { Metrics } from "../../platform/telemetry/metrics.js";
import { monotonicMs } from "../../platform/timing/clock.js";
import { refusalOf } from "../../platform/postgres/sql-state.js";
import type { RetriedOutcomes } from "./copy/retry-batch.js";
import type { WriterCommand, WriterReport, WriterWorkerData } from "./messages.js";
import { createPersistenceBarrier } from "./persistence-barrier.js";
import { createRefusalLog } from "../../platform/postgres/refusals.js";
import { watchStoring } from "./storing-watch.js";
import { superviseThread } from "../../platform/threads/supervisor.js";
import { failureFields } from "./write-failure.js";

export interface WriterThreadOptions {
  file: string;
  workerData: WriterWorkerData;
  journalMaxBytes: number;
  /** See FrontMirror. */
  mirrorIsOpen: (() => boolean) | null;
  /** The newest record that this node has acknowledged. */
  committedSequence(): number;
  databaseIsReachable(): boolean;
  metrics: Metrics;
  log: Logger;
}

export interface WriterThread {
  /**
   * Allows the thread to drain. Call it when PostgreSQL has its schema or is known to be away. The thread loads its
   * modules before this call.
   */
  begin(): void;
  /** Resolves when the thread runs and knows the last sequence of the journal, which earlier processes wrote. */
  ready: Promise<void>;
  /** PostgreSQL's position in the last status. Negative if it is unknown. */
  position(): number;
  /** Works like PersistenceBarrier.through. */
  persistedThrough(sequence: number, timeoutMs: number): Promise<boolean>;
  /** True if the journal is at its limit, or if its mirror accepts nothing. */
  journalIsFull(): boolean;
  /** True if PostgreSQL answers but has stored none of the waiting records for `storedNothingMsMax`. */
  isStalled(): boolean;
  /** Drains the journal within `graceMs`. What is left stays on disk for the next start. */
  stop(graceMs: number): Promise<void>;
}

/** The part of the grace period that is reserved for closing. */
const CLOSE_RESERVE_MS = 500;

const beginning = ({ databaseIsReachable }: WriterThreadOptions): WriterCommand => ({
  type: "begin",
  databaseIsReachable: databaseIsReachable(),
});

/** The front thread's handle on the writer. */
export function superviseWriter(options: WriterThreadOptions): WriterThread {
  const { metrics, log, mirrorIsOpen } = options;
  const refusals = createRefusalLog(log, "PostgreSQL refuses what the journal holds");
  const setAside = createRefusalLog(log, "PostgreSQL refuses a record for what it holds: it is set aside");
  const storing = watchStoring({
    stalledAfterMs: TUNING.storedNothingMsMax,
    databaseIsReachable: options.databaseIsReachable,
    committedSequence: options.committedSequence,
    now: monotonicMs,
  });
  const logStall = createStallLog(metrics, log);
  let last: WriterStatus | null = null;
  const watching = setInterval(() => {
    storing.look();
    logStall(storing.isStalled(), last);
  }, TUNING.storingWatchIntervalMs).unref();
  let isFull = false;
  /** True if the journal had records at the writer's last status. A status comes every quarter of a second. */
  let isLeft = true;
  let hasBegun = false;
  let onReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const thread = superviseThread<WriterCommand, WriterReport>({
    name: "writer",
    loadMsMax: TUNING.lmdbLoadMsMax,
    file: options.file,
    workerData: options.workerData,
    onReport(report) {
      barrier.onReport(report);
      if (report.type === "status") {
        isLeft = report.depthRecords > 0;
        isFull = report.depthBytes >= options.journalMaxBytes;
        metrics.journal(report);
        const { failure } = report;
        if (failure !== null) refusals(refusalOf({ code: failure.sqlState }), failureFields(failure));
        last = report;
        storing.note(report);
        for (const { rows, seconds } of report.batches) metrics.batchWritten(rows, seconds);
        metrics.keptOutcomes(report.kept);
        for (const retried of report.retried) countRetried(metrics, retried);
        if (report.failures > 0) metrics.writeFailed(report.failures);
        if (report.journalFailures > 0) metrics.journalFailed(report.journalFailures);
      }
      if (report.type === "set_aside") setAside(report.failure.sqlState, failureFields(report.failure));
      noteRare(report, metrics, log);
      if (report.type === "ready") onReady();
    },
    onCrash(error) {
      metrics.workerCrashed("writer");
      log.error({ err: error }, "the writer thread died and is replaced");
    },
    onReplaced() {
      if (hasBegun) thread.send(beginning(options));
    },
  });
  const barrier = createPersistenceBarrier(thread.send);
  return {
    begin() {
      hasBegun = true;
      thread.send(beginning(options));
    },
    ready,
    persistedThrough: barrier.through,
    position: () => last?.position ?? -1,
    journalIsFull: () => isFull || (mirrorIsOpen !== null && !mirrorIsOpen()),
    isStalled: storing.isStalled,
    async stop(graceMs) {
      clearInterval(watching);
      // From now on, only a further status can say that nothing is left. A failed start (`graceMs` 0) needs none.
      if (graceMs > 0) isLeft = true;
      const deadlineMs = Math.max(0, graceMs - CLOSE_RESERVE_MS);
      // Even a failed start, which does not drain, gives the thread time to end by itself. If a thread is ended by
      // force inside an LMDB transaction, neither the thread nor the process ever ends.
      await thread.stop({ type: "stop", deadlineMs }, Math.max(graceMs, CLOSE_RESERVE_MS));
      if (isLeft) log.warn("the journal is not drained; the next start goes on with it");
    },
  };
}

type WriterStatus = Extract<WriterReport, { type: "status" }>;

function countRetried(metrics: Metrics, retried: RetriedOutcomes): void {
  const { failedProvider, failedOutcome, sameProvider, approved, outcomes } = retried;
  metrics.retriesStored(failedProvider, FAILURE_CLASSES[failedOutcome], sameProvider, approved, outcomes);
}

function noteTakeover(report: WriterReport, metrics: Metrics, log: Logger): void {
  if (report.type !== "taken_over" && report.type !== "takeover_failed") return;
  const { nodeId, records } = report;
  metrics.mirror.takenOver(records, report.type === "taken_over" ? "stored" : "failed");
  if (report.type === "taken_over") log.warn({ node: nodeId, records }, "a dead node's records are stored");
  else {
    log.error(
      { node: nodeId, records, reason: report.error },
      "a dead node's records cannot be stored yet; trying again",
    );
  }
}

/** Notes takeovers, attempts deleted early, and records that PostgreSQL lost in a restore. */
function noteRare(report: WriterReport, metrics: Metrics, log: Logger): void {
  noteTakeover(report, metrics, log);
  if (report.type === "attempts_forgotten") metrics.recordSkipped("attempts", report.orders);
  if (report.type === "restored") {
    log.error(
      { records: report.records },
      "PostgreSQL was restored to an earlier state: what it had stored of this node since then is gone",
    );
  }
}

/** Returns a function that logs when the writer stops storing, with its activity, and when it stores again. */
function createStallLog(
  metrics: Metrics,
  log: Logger,
): (isStalled: boolean, last: WriterStatus | null) => void {
  let wasStalled = false;
  return (isStalled, last) => {
    if (isStalled === wasStalled) return;
    wasStalled = isStalled;
    metrics.writerStalled(isStalled);
    if (!isStalled) return log.info("PostgreSQL stores again what waits for it");
    const doing = last?.doing ?? null;
    const activity = last?.failure
      ? failureFields(last.failure)
      : { phase: doing?.phase, statement: doing?.name };
    log.error(
      { ...activity, waiting: last?.depthRecords, seconds: TUNING.storedNothingMsMax / 1000 },
      "PostgreSQL answers, but has stored nothing of what waits for it",
    );
  };
}
