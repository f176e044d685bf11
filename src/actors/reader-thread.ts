import type { ReadRequest } from "../read/reads.js";
import type { Logger } from "../telemetry/logger.js";
import type { Metrics } from "../telemetry/metrics.js";
import type { ReaderCommand, ReaderReport } from "./messages.js";
import { superviseThread } from "./supervisor.js";
import type { ReaderWorkerData } from "./worker-data.js";

export interface ReaderThreadOptions {
  file: string;
  workerData: ReaderWorkerData;
  metrics: Metrics;
  log: Logger;
}

interface Waiter {
  resolve(json: string | null): void;
  reject(error: Error): void;
}

const STOP_TIMEOUT_MS = 500;

/**
 * The reader as the front thread sees it. Pages are put together there, at a lower priority: on the front thread each
 * would hold up every decision of its moment.
 */
export function superviseReader({ file, workerData, metrics, log }: ReaderThreadOptions) {
  const waiting = new Map<number, Waiter>();
  let lastTicket = 0;
  const take = (ticket: number): Waiter | undefined => {
    const waiter = waiting.get(ticket);
    waiting.delete(ticket);
    return waiter;
  };
  const thread = superviseThread<ReaderCommand, ReaderReport>({
    name: "reader",
    file,
    workerData,
    onReport(report) {
      const waiter = take(report.ticket);
      if (report.type === "answer") waiter?.resolve(report.json);
      else waiter?.reject(report.bug === null ? new Error("PostgreSQL is away") : new TypeError(report.bug));
    },
    onCrash(error) {
      metrics.workerCrashed("reader");
      log.error({ err: error }, "the reader thread died and is replaced");
      for (const ticket of waiting.keys()) take(ticket)?.reject(new Error("the reader thread died"));
    },
  });
  return {
    /** Finished JSON, or null for what does not exist; rejects while PostgreSQL is away. */
    read(request: ReadRequest): Promise<string | null> {
      const ticket = ++lastTicket;
      return new Promise((resolve, reject) => {
        if (thread.send({ type: "read", ticket, request })) waiting.set(ticket, { resolve, reject });
        else reject(new Error("the reader thread is being replaced"));
      });
    },
    stop: () => thread.stop({ type: "stop" }, STOP_TIMEOUT_MS),
  };
}
