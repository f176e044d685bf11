import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Logger } from "../../../platform/telemetry/logger.js";
import { WaitingLine } from "../../../platform/timing/waiting-line.js";
import type { BacktestCommand, BacktestJob, BacktestReport, BacktestWorkerData } from "./messages.js";

export interface BacktestRun {
  /** The next report, as soon as it is there; null when there are no more. Lets the thread go on. */
  next(): Promise<BacktestReport | { type: "failed" } | null>;
  /** Ends the thread wherever it is. */
  stop(): void;
}

export interface Backtests {
  /**
   * Resolves once it runs: workspaces have their turns one after the other. Resolves to `full` where it has no place in
   * the line, or lost it to a workspace with fewer. Once nobody asks for it any more it leaves the line, or ends.
   */
  start(job: BacktestJob, clientGone: AbortSignal): Promise<BacktestRun | "full" | "gone">;
  /** Ends one that runs, and refuses those that wait. */
  close(): Promise<void>;
}

/** One page is a few megabytes; what grows beyond this is a bug. */
const HEAP_MIB_MAX = 512;

/** That wait for the one that runs, of all workspaces and of one; each holds its draft. */
const WAITING_MAX = 64;
export const WORKSPACE_WAITING_MAX = 4;

export interface BacktestOptions {
  file: string;
  databaseUrl: string;
  log: Logger;
}

/** Backtests, one at a time, each on a thread of its own that ends with it. */
export function createBacktests(options: BacktestOptions): Backtests {
  const waiting = new WaitingLine({ max: WAITING_MAX, ownMax: WORKSPACE_WAITING_MAX });
  let running: Worker | null = null;
  let isClosed = false;
  const run = (job: BacktestJob, clientGone: AbortSignal): BacktestRun => {
    const { worker, run } = startBacktest(options, job, clientGone);
    running = worker;
    worker.on("exit", () => {
      running = null;
      if (!isClosed) waiting.next()?.begin();
    });
    return run;
  };

  return {
    start(job, clientGone) {
      if (running === null && !isClosed) return Promise.resolve(run(job, clientGone));
      return new Promise((resolve, reject) => {
        const place = {
          begin() {
            try {
              resolve(run(job, clientGone));
            } catch (error) {
              // The system gives no thread: that is this one's failure, told where it was asked for.
              reject(error);
              waiting.next()?.begin();
            }
          },
          refuse: () => resolve("full"),
        };
        if (isClosed) return place.refuse();
        const leave = (): void => {
          waiting.leave(job.workspaceId, place);
          resolve("gone");
        };
        clientGone.addEventListener("abort", leave, { once: true });
        waiting.add(job.workspaceId, place);
      });
    },
    async close() {
      isClosed = true;
      for (let place = waiting.next(); place !== undefined; place = waiting.next()) place.refuse();
      if (running === null) return;
      const exited = once(running, "exit");
      void running.terminate();
      await exited;
    },
  };
}

/** One on its thread, which is ended where nobody asks for it any more. */
function startBacktest(
  { file, databaseUrl, log }: BacktestOptions,
  job: BacktestJob,
  clientGone: AbortSignal,
): { worker: Worker; run: BacktestRun } {
  const workerData: BacktestWorkerData = { databaseUrl, job };
  const worker = new Worker(file, {
    workerData,
    name: "backtest",
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX },
  });
  let take: ((report: BacktestReport | { type: "failed" } | null) => void) | null = null;
  // At most one of ours is under way: the thread waits for the command to go on.
  const arrived: (BacktestReport | { type: "failed" })[] = [];
  let ended = false;
  const deliver = (report: BacktestReport | { type: "failed" }): void => {
    if (take === null) arrived.push(report);
    else take(report);
    take = null;
  };
  worker.on("message", deliver);
  worker.on("error", (error) => {
    log.warn({ err: error }, "a backtest failed");
    deliver({ type: "failed" });
  });
  worker.on("exit", () => {
    ended = true;
    take?.(null);
  });
  // The thread holds a database connection and no LMDB environment: it can be ended at any point.
  const stop = (): void => void worker.terminate();
  clientGone.addEventListener("abort", stop);
  let isFirst = true;
  const run: BacktestRun = {
    next() {
      const command: BacktestCommand = { type: "go_on" };
      if (!isFirst) worker.postMessage(command);
      isFirst = false;
      const report = arrived.shift();
      if (report !== undefined) return Promise.resolve(report);
      if (ended) return Promise.resolve(null);
      return new Promise((resolve) => (take = resolve));
    },
    stop,
  };
  return { worker, run };
}
