import type { ReadRequest } from "../read/reads.js";
import type { Logger } from "../telemetry/logger.js";
import type { Metrics } from "../telemetry/metrics.js";
import type { ReaderCommand, ReaderReport } from "./messages.js";
import { tellRefusals } from "./refusals.js";
import { superviseThread } from "./supervisor.js";
import type { ReaderWorkerData } from "./worker-data.js";

export interface ReaderThreadOptions {
  file: string;
  workerData: ReaderWorkerData;
  metrics: Metrics;
  log: Logger;
}

interface Waiter {
  request: ReadRequest;
  /** Threads that died over it. */
  deaths: number;
  resolve(json: string | null): void;
  reject(error: Error): void;
}

const STOP_TIMEOUT_MS = 500;
/** A read that outlives this many threads may be what ends them. */
const DEATHS_MAX = 2;

/**
 * The reader as the front thread sees it. Pages are put together there, at a lower priority: on the front thread each
 * would hold up every decision of its moment. A read changes nothing: one that its thread did not live to answer is read
 * again by the next thread.
 */
export function superviseReader({ file, workerData, metrics, log }: ReaderThreadOptions) {
  const waiting = new Map<number, Waiter>();
  const refusals = tellRefusals(log, "PostgreSQL refuses reads");
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
    startsWithFirstCommand: true,
    onReport(report) {
      const waiter = take(report.ticket);
      refusals(report.type === "answer" ? null : report.refusal);
      if (report.type === "answer") waiter?.resolve(report.json);
      else waiter?.reject(report.bug === null ? new Error("PostgreSQL is away") : new TypeError(report.bug));
    },
    onCrash(error) {
      metrics.workerCrashed("reader");
      log.error({ err: error }, "the reader thread died and is replaced");
      for (const [ticket, waiter] of waiting) {
        if (++waiter.deaths >= DEATHS_MAX) take(ticket)?.reject(new Error("the reader thread died"));
      }
    },
    onReplaced() {
      for (const [ticket, { request }] of waiting) thread.send({ type: "read", ticket, request });
    },
  });
  return {
    /** Finished JSON, or null for what does not exist; rejects while PostgreSQL is away. Who asks sets the time limit. */
    read(request: ReadRequest): Promise<string | null> {
      const ticket = ++lastTicket;
      return new Promise((resolve, reject) => {
        waiting.set(ticket, { request, deaths: 0, resolve, reject });
        // A thread that is just being replaced is sent it when it is there.
        thread.send({ type: "read", ticket, request });
      });
    },
    stop: () => thread.stop({ type: "stop" }, STOP_TIMEOUT_MS),
  };
}
