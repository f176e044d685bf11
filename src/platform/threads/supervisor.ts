import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { within } from "../timing/within.js";

export interface SupervisedThread<Command> {
  /**
   * Returns false if the thread is dead, and the command is lost. A command is also lost if the thread dies before it
   * reads the command. If a command must not be lost, send it again when the new thread reports "ready".
   */
  send(command: Command): boolean;
  /**
   * Sends `command`, waits at most `timeoutMs` for the thread to end, and terminates it. The thread is not replaced.
   */
  stop(command: Command, timeoutMs: number): Promise<void>;
}

export interface SupervisedThreadOptions<Report> {
  name: string;
  file: string;
  workerData: unknown;
  /**
   * True to start the thread only when the first command is sent. That command waits a tenth of a second for the start.
   */
  startsWithFirstCommand?: boolean;
  /**
   * Set this for a thread that opens LMDB. If a thread is terminated while it opens LMDB, the thread and the process
   * hang. `stop` therefore waits for the thread's first report, but at most until this long after the thread's start.
   */
  loadMsMax?: number;
  onReport(report: Report): void;
  /** Called when the thread has ended without `stop`. A new thread follows after a delay. */
  onCrash(error: unknown): void;
  /** Called when the new thread has been started. The thread reads commands when it has loaded. */
  onReplaced?(): void;
}

const RESTART_DELAY_MS_MIN = 50;
const RESTART_DELAY_MS_MAX = 1000;
/**
 * If a thread lived this long, its replacement starts after the shortest delay. The delay grows only while starts fail.
 */
const STABLE_AFTER_MS = 1000;

/**
 * A worker thread that is replaced when it dies. The delay doubles from 50 ms to 1 s while the thread keeps dying.
 *
 * | State \ event | `send` | thread exits | delay is over | `stop` |
 * |---|---|---|---|---|
 * | unstarted (`startsWithFirstCommand`) | running, command sent | – | – | stopped |
 * | running | running, command sent | waiting, `onCrash` | – | stopping |
 * | waiting | waiting, command lost | – | running, `onReplaced` | stopped |
 * | stopping (until the exit or `timeoutMs`) | stopping, command sent | stopped | – | stopping |
 * | stopped | stopped, command lost | – | – | stopped |
 */
export function superviseThread<Command, Report>(
  options: SupervisedThreadOptions<Report>,
): SupervisedThread<Command> {
  let stopped = false;
  let delayMs = RESTART_DELAY_MS_MIN;
  let worker: Worker | null = null;
  let startedMs = 0;
  /** True if the thread has sent a report, which means that it has loaded its modules. */
  let hasReported = false;

  const start = (): void => {
    startedMs = performance.now();
    hasReported = false;
    let failure: unknown = null;
    const started = new Worker(options.file, { workerData: options.workerData, name: options.name });
    worker = started;
    started.on("message", (report: Report) => {
      hasReported = true;
      options.onReport(report);
    });
    started.on("error", (error) => {
      failure = error;
    });
    started.on("exit", (code) => {
      worker = null;
      if (stopped) return;
      options.onCrash(failure ?? new Error(`${options.name} thread exited with code ${code}`));
      if (performance.now() - startedMs > STABLE_AFTER_MS) delayMs = RESTART_DELAY_MS_MIN;
      setTimeout(() => {
        if (stopped) return;
        start();
        options.onReplaced?.();
      }, delayMs);
      delayMs = Math.min(RESTART_DELAY_MS_MAX, delayMs * 2);
    });
  };
  let isUnstarted = options.startsWithFirstCommand === true;
  if (!isUnstarted) start();
  return {
    send(command) {
      if (isUnstarted && !stopped) start();
      isUnstarted = false;
      worker?.postMessage(command);
      return worker !== null;
    },
    async stop(command, timeoutMs) {
      stopped = true;
      if (worker === null) return;
      const stoppedWorker = worker;
      const exited = once(stoppedWorker, "exit");
      stoppedWorker.postMessage(command);
      const loadMs = hasReported ? 0 : startedMs + (options.loadMsMax ?? 0) - performance.now();
      await within(exited, Math.max(timeoutMs, loadMs), undefined);
      await stoppedWorker.terminate();
    },
  };
}
