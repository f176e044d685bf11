import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import type { Logger } from "../../../platform/telemetry/logger.js";
import { WaitingLine } from "../../../platform/timing/waiting-line.js";
import type {
  BacktestCommand,
  BacktestJob,
  BacktestReport,
  BacktestTask,
  BacktestWorkerData,
} from "./messages.js";

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

interface StartedBacktest extends BacktestRun {
  /** Ends the backtest with the error of its thread. Does nothing once it has ended. */
  fail(error: unknown): void;
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
  /** The longest wait for a connection to PostgreSQL. */
  connectionTimeoutMs: number;
  log: Logger;
}

/** Runs one backtest at a time. The thread ends when no backtest waits. */
export function createBacktests({ file, log, ...data }: BacktestOptions): Backtests {
  const waiting = new WaitingLine({ max: WAITING_MAX, ownMax: WORKSPACE_WAITING_MAX });
  const pool = new Piscina({
    filename: file,
    workerData: data satisfies BacktestWorkerData,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 0,
    atomics: "disabled",
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX },
  });
  let running: StartedBacktest | null = null;
  // The error of a thread that dies before it is ready does not reach its task.
  pool.on("error", (error) => running?.fail(error));
  let isClosed = false;
  const run = (job: BacktestJob, clientGone: AbortSignal): BacktestRun => {
    running = startBacktest(pool, job, clientGone, (error) => {
      running = null;
      if (error !== null) log.warn({ err: error }, "a backtest failed");
      if (!isClosed) waiting.next()?.begin();
    });
    return running;
  };

  return {
    start(job, clientGone) {
      if (running === null && !isClosed) return Promise.resolve(run(job, clientGone));
      return new Promise((resolve) => {
        const place = {
          begin: () => resolve(run(job, clientGone)),
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
      const destroyed = pool.destroy();
      // A backtest that this node stops has not failed.
      running?.stop();
      await destroyed;
    },
  };
}

/**
 * Starts a backtest on the pool's thread, which answers over a port of its own. The thread is terminated when the
 * client goes away. `onEnd` gets the error of a backtest that failed, and null if it was finished or stopped.
 */
function startBacktest(
  pool: Piscina<BacktestTask, void>,
  job: BacktestJob,
  clientGone: AbortSignal,
  onEnd: (error: unknown) => void,
): StartedBacktest {
  const { port1: front, port2: thread } = new MessageChannel();
  const stopping = new AbortController();
  // The thread holds a database connection but no LMDB environment, so it can be terminated at any point.
  const stop = (): void => stopping.abort();
  clientGone.addEventListener("abort", stop);

  let take: ((report: BacktestReport | { type: "failed" } | null) => void) | null = null;
  // At most one report is under way, because the thread waits for the command to continue.
  const arrived: (BacktestReport | { type: "failed" })[] = [];
  const deliver = (report: BacktestReport | { type: "failed" }): void => {
    if (take === null) arrived.push(report);
    else take(report);
    take = null;
  };
  front.on("message", deliver);
  let ended = false;
  const end = (error: unknown): void => {
    if (ended) return;
    const failed = error !== null && !stopping.signal.aborted;
    if (failed) deliver({ type: "failed" });
    ended = true;
    take?.(null);
    front.close();
    // A task whose thread could not be started must not run later.
    stop();
    onEnd(failed ? error : null);
  };
  const running = async (): Promise<void> =>
    pool.run({ job, port: thread }, { transferList: [thread], signal: stopping.signal });
  running().then(() => end(null), end);

  let isFirst = true;
  return {
    next() {
      const command: BacktestCommand = { type: "go_on" };
      if (!isFirst) front.postMessage(command);
      isFirst = false;
      const report = arrived.shift();
      if (report !== undefined) return Promise.resolve(report);
      if (ended) return Promise.resolve(null);
      return new Promise((resolve) => (take = resolve));
    },
    stop,
    fail: end,
  };
}
