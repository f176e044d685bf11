import type { Logger } from "../telemetry/logger.js";
import type { Metrics } from "../telemetry/metrics.js";
import type { WriterCommand, WriterReport } from "./messages.js";
import { createPersistenceBarrier } from "./persistence-barrier.js";
import { superviseThread } from "./supervisor.js";
import type { WriterWorkerData } from "./worker-data.js";

export interface WriterThreadOptions {
  file: string;
  workerData: WriterWorkerData;
  journalMaxBytes: number;
  /** SHUTDOWN_GRACE_MS */
  graceMs: number;
  metrics: Metrics;
  log: Logger;
}

export interface WriterThread {
  /** See PersistenceBarrier.through. */
  persistedThrough(sequence: number, timeoutMs: number): Promise<boolean>;
  journalIsFull(): boolean;
  /** Drains the journal within the grace period; what is left stays on disk for the next start. */
  stop(): Promise<void>;
}

/** How much longer than the grace period the thread may take to close. */
const CLOSE_TIMEOUT_MS = 2000;

/** The writer as the front thread sees it. */
export function superviseWriter(options: WriterThreadOptions): WriterThread {
  const { metrics, log } = options;
  let isFull = false;
  let onStopped: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    onStopped = resolve;
  });
  const thread = superviseThread<WriterCommand, WriterReport>({
    name: "writer",
    file: options.file,
    workerData: options.workerData,
    onReport(report) {
      barrier.onReport(report);
      if (report.type === "status") {
        isFull = report.depthBytes >= options.journalMaxBytes;
        metrics.journal(report);
        for (const { rows, seconds } of report.batches) metrics.batchWritten(rows, seconds);
        if (report.failures > 0) metrics.writeFailed(report.failures);
      }
      if (report.type === "stopped") {
        if (!report.drained) log.warn("the journal is not drained; the next start goes on with it");
        onStopped();
      }
    },
    onCrash(error) {
      metrics.workerCrashed("writer");
      log.error({ err: error }, "the writer thread died and is replaced");
    },
  });
  const barrier = createPersistenceBarrier(thread.send);
  return {
    persistedThrough: barrier.through,
    journalIsFull: () => isFull,
    async stop() {
      thread.send({ type: "stop", deadlineMs: options.graceMs });
      const overdue = setTimeout(onStopped, options.graceMs + CLOSE_TIMEOUT_MS);
      await stopped;
      clearTimeout(overdue);
      await thread.terminate();
    },
  };
}
