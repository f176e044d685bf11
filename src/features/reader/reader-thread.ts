import type { ReadRequest } from "./reads.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Patience } from "../../domain/vocabulary/patience.js";
import type { Logger } from "../../platform/telemetry/logger.js";
import type { Metrics } from "../../platform/telemetry/metrics.js";
import type { ReaderCommand, ReaderReport, ReaderWorkerData } from "./messages.js";
import { tellRefusals } from "../../platform/postgres/refusals.js";
import { superviseThread } from "../../platform/threads/supervisor.js";

export interface ReaderThreadOptions {
  file: string;
  workerData: ReaderWorkerData;
  patience: Pick<Patience, "databaseReadTimeoutMs" | "readWaitMsMax">;
  metrics: Metrics;
  log: Logger;
  /** Monotonic milliseconds. */
  now(): number;
}

interface Waiter {
  request: ReadRequest;
  askedMs: number;
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
 *
 * It is handed as many as keep it busy. Where the others wait too long more are refused, and what nobody waits for any
 * more is not read: else each would be read when its answer is too late, and one stall would last as long as reads come.
 */
export function superviseReader({ file, workerData, patience, metrics, log, now }: ReaderThreadOptions) {
  /** In line, by ticket, in the order asked; then handed to the thread, and not answered yet. */
  const waiting = new Map<number, Waiter>();
  const atWork = new Map<number, Waiter>();
  const refusals = tellRefusals(log, "PostgreSQL refuses reads");
  let lastTicket = 0;
  const take = (ticket: number): Waiter | undefined => {
    const waiter = atWork.get(ticket);
    atWork.delete(ticket);
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
      sendNext();
    },
    onCrash(error) {
      metrics.workerCrashed("reader");
      log.error({ err: error }, "the reader thread died and is replaced");
      for (const [ticket, waiter] of atWork) {
        if (++waiter.deaths >= DEATHS_MAX) take(ticket)?.reject(new Error("the reader thread died"));
      }
    },
    onReplaced() {
      for (const [ticket, { request }] of atWork) thread.send({ type: "read", ticket, request });
      sendNext();
    },
  });
  const sendNext = (): void => {
    for (const [ticket, waiter] of waiting) {
      if (atWork.size >= LIMITS.readsAtWorkMax) return;
      waiting.delete(ticket);
      if (now() - waiter.askedMs >= patience.databaseReadTimeoutMs) {
        waiter.reject(new Error("nobody waits for this read any more"));
        continue;
      }
      atWork.set(ticket, waiter);
      // A thread that is just being replaced is sent it when it is there.
      thread.send({ type: "read", ticket, request: waiter.request });
    }
  };
  const isLate = (): boolean => {
    const [oldest] = waiting.values();
    return oldest !== undefined && now() - oldest.askedMs > patience.readWaitMsMax;
  };
  return {
    /**
     * Finished JSON, or null for what does not exist; rejects while PostgreSQL is away, and while more is asked than can
     * be answered. Who asks sets the time limit, of `databaseReadTimeoutMs` at most: what nobody waits for any
     * more is not read.
     */
    read(request: ReadRequest): Promise<string | null> {
      if (isLate()) return Promise.reject(new Error("more reads than can be answered in time"));
      return new Promise((resolve, reject) => {
        waiting.set(++lastTicket, { request, askedMs: now(), deaths: 0, resolve, reject });
        sendNext();
      });
    },
    stop: () => thread.stop({ type: "stop" }, STOP_TIMEOUT_MS),
  };
}
