import { OlderLogUnavailableError } from "../../platform/postgres/tenant-db.js";
import type { ReadRequest } from "./reads.js";
import type { Logger } from "../../platform/telemetry/logger.js";
import type { Metrics } from "../../platform/telemetry/metrics.js";
import type { ReaderCommand, ReaderReport, ReaderWorkerData, ReadReport } from "./messages.js";
import { createRefusalLog } from "../../platform/postgres/refusals.js";
import { superviseThread } from "../../platform/threads/supervisor.js";
import { within } from "../../platform/timing/within.js";
import { createReadLine, type ReadLineOptions } from "./read-line.js";

export interface ReaderThreadOptions extends Pick<ReadLineOptions, "patience" | "now"> {
  file: string;
  workerData: ReaderWorkerData;
  metrics: Metrics;
  log: Logger;
}

function failureOf(report: Exclude<ReadReport, { type: "answer" }>): Error {
  if (report.type === "older_unavailable") return new OlderLogUnavailableError("ClickHouse is away");
  return report.bug === null ? new Error("PostgreSQL is away") : new TypeError(report.bug);
}

/** A start waits this long for the thread. Then it continues, and the first read waits. */
const LOAD_MS_MAX = 2000;
const STOP_TIMEOUT_MS = 500;
/** A read that was under way in this many dying threads may be the cause of their deaths. */
const DEATHS_MAX = 2;

/**
 * The front thread's handle on the reader thread, which answers reads at a lower priority. On the front thread, a read
 * would delay decisions. A read changes nothing, so the next thread repeats a read whose thread died.
 */
export function superviseReader({ file, workerData, patience, metrics, log, now }: ReaderThreadOptions) {
  const refusals = createRefusalLog(log, "PostgreSQL refuses reads");
  let onLoaded: () => void = () => undefined;
  const loaded = new Promise<void>((resolve) => {
    onLoaded = resolve;
  });
  const thread = superviseThread<ReaderCommand, ReaderReport>({
    name: "reader",
    file,
    workerData,
    onReport(report) {
      if (report.type === "loaded") return onLoaded();
      if (report.type === "older_query") return metrics.logCopy.queried("reader", report.query);
      const read = line.take(report.ticket);
      refusals(report.type === "failed" ? report.refusal : null);
      if (report.type === "answer") read?.resolve(report.json);
      else read?.reject(failureOf(report));
      line.handNext();
    },
    onCrash(error) {
      metrics.workerCrashed("reader");
      log.error({ err: error }, "the reader thread died and is replaced");
      for (const [ticket, read] of line.atWork) {
        if (++read.deaths >= DEATHS_MAX) line.take(ticket)?.reject(new Error("the reader thread died"));
      }
    },
    onReplaced() {
      for (const [ticket, { request }] of line.atWork) thread.send({ type: "read", ticket, request });
      line.handNext();
    },
  });
  const line = createReadLine({
    patience,
    now,
    // If the thread is just being replaced, the new thread gets the read once it runs.
    hand: (ticket, request) => thread.send({ type: "read", ticket, request }),
  });
  return {
    /**
     * Resolves to finished JSON, or to null for an unknown object. Rejects while PostgreSQL is away, and if a workspace
     * asks for more than can be answered. The caller sets the time limit, at most `databaseReadTimeoutMs`. A read with
     * too little time left is skipped.
     */
    read: (request: ReadRequest): Promise<string | null> => line.add(request),
    /** Resolves when the thread answers at once, or after the longest time that a start waits for it. */
    loaded: (): Promise<void> => within(loaded, LOAD_MS_MAX, undefined),
    stop: () => thread.stop({ type: "stop" }, STOP_TIMEOUT_MS),
  };
}

export type Reader = ReturnType<typeof superviseReader>;
