import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Logger } from "../../../platform/telemetry/logger.js";
import type { BacktestCommand, BacktestJob, BacktestReport, BacktestWorkerData } from "./messages.js";

export interface BacktestRun {
  /** The next report, as soon as it is there; null when there are no more. Lets the thread go on. */
  next(): Promise<BacktestReport | { type: "failed" } | null>;
  /** Ends the thread wherever it is. */
  stop(): void;
}

export interface Backtests {
  /** `busy` while another one runs on this node. */
  start(job: BacktestJob): BacktestRun | "busy";
  /** Ends one that runs. */
  close(): Promise<void>;
}

/** One page is a few megabytes; what grows beyond this is a bug. */
const HEAP_MIB_MAX = 512;

/** Backtests, one at a time, each on a thread of its own that ends with it. */
export function createBacktests(options: { file: string; databaseUrl: string; log: Logger }): Backtests {
  let running: Worker | null = null;

  const start = (job: BacktestJob): BacktestRun => {
    const workerData: BacktestWorkerData = { databaseUrl: options.databaseUrl, job };
    const worker = new Worker(options.file, {
      workerData,
      name: "backtest",
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX },
    });
    running = worker;
    let waiting: ((report: BacktestReport | { type: "failed" } | null) => void) | null = null;
    // At most one of ours is under way: the thread waits for the command to go on.
    const arrived: (BacktestReport | { type: "failed" })[] = [];
    let ended = false;
    const deliver = (report: BacktestReport | { type: "failed" }): void => {
      if (waiting === null) arrived.push(report);
      else waiting(report);
      waiting = null;
    };
    worker.on("message", deliver);
    worker.on("error", (error) => {
      options.log.warn({ err: error }, "a backtest failed");
      deliver({ type: "failed" });
    });
    worker.on("exit", () => {
      ended = true;
      running = null;
      waiting?.(null);
    });
    let isFirst = true;
    return {
      next() {
        const command: BacktestCommand = { type: "go_on" };
        if (!isFirst) worker.postMessage(command);
        isFirst = false;
        const report = arrived.shift();
        if (report !== undefined) return Promise.resolve(report);
        if (ended) return Promise.resolve(null);
        return new Promise((resolve) => (waiting = resolve));
      },
      // The thread holds a database connection and no LMDB environment: it can be ended at any point.
      stop: () => void worker.terminate(),
    };
  };

  return {
    start: (job) => (running === null ? start(job) : "busy"),
    async close() {
      if (running === null) return;
      const exited = once(running, "exit");
      void running.terminate();
      await exited;
    },
  };
}
