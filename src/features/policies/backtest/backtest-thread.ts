import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Logger } from "../../../platform/telemetry/logger.js";
import { WaitingLine } from "../../../platform/timing/waiting-line.js";
import type { BacktestCommand, BacktestJob, BacktestReport, BacktestWorkerData } from "./messages.js";

export interface BacktestRun {
  /** Resolves to the next report once it arrives, or to null after the last one. The call lets the thread continue. */
  next(): Promise<BacktestReport | { type: "failed" } | null>;
  /** Ends the thread at any point of its work. */
  stop(): void;
}

export interface Backtests {
  /**
   * Resolves when the backtest runs. Workspaces take turns. Resolves to `full` if the line is full, or if a workspace
   * with fewer waiting backtests took its place. When the client goes away, the backtest leaves the line or ends.
   */
  start(job: BacktestJob, clientGone: AbortSignal): Promise<BacktestRun | "full" | "gone">;
  /** Ends the running backtest and refuses those that wait. */
  close(): Promise<void>;
}

/** A page is a few megabytes. A heap larger than this is a bug. */
const HEAP_MIB_MAX = 512;

/** The most backtests that wait, in total and per workspace. Each waiting backtest holds its draft in memory. */
const WAITING_MAX = 64;
export const WORKSPACE_WAITING_MAX = 4;

export interface BacktestOptions {
  file: string;
  databaseUrl: string;
  retentionDays: number;
  log: Logger;
}

/** Runs one backtest at a time, each in a new thread that ends with it. */
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
              // The system could not start a thread. The failure goes to the caller of this backtest.
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

/** Starts a backtest on its thread. The thread is ended when the client goes away. */
function startBacktest(
  { file, databaseUrl, retentionDays, log }: BacktestOptions,
  job: BacktestJob,
  clientGone: AbortSignal,
): { worker: Worker; run: BacktestRun } {
  const workerData: BacktestWorkerData = { databaseUrl, retentionDays, job };
  const worker = new Worker(file, {
    workerData,
    name: "backtest",
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX },
  });
  let take: ((report: BacktestReport | { type: "failed" } | null) => void) | null = null;
  // At most one report is under way, because the thread waits for the command to continue.
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
  // The thread holds a database connection but no LMDB environment, so it can be ended at any point.
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
