import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { within } from "../timing/within.js";

export interface SupervisedThread<Command> {
  /**
   * False when the thread is dead. Lost too when it dies before it reads the command: what must not be lost is sent again
   * on its "ready".
   */
  send(command: Command): boolean;
  /** Asks with `command`, ends it by force after `timeoutMs`; nothing replaces it. */
  stop(command: Command, timeoutMs: number): Promise<void>;
}

export interface SupervisedThreadOptions<Report> {
  name: string;
  file: string;
  workerData: unknown;
  /** A node that never needs the thread never has it; the first command waits the tenth of a second that it takes. */
  startsWithFirstCommand?: boolean;
  /**
   * For a thread that opens LMDB: ended by force while it does, it would never end, nor would the process. So it has this
   * long from its start to say something, whenever it is told to stop.
   */
  loadMsMax?: number;
  onReport(report: Report): void;
  /** The thread ended although nobody asked; a new one starts after `restartDelayMs`. */
  onCrash(error: unknown): void;
  /** The new one has been started; what is sent to it from now on is read once it runs. */
  onReplaced?(): void;
}

const RESTART_DELAY_MS_MIN = 50;
const RESTART_DELAY_MS_MAX = 1000;
/** A thread that came up and worked starts over with the shortest delay: only one that dies of its start keeps waiting. */
const STABLE_AFTER_MS = 1000;

/** A worker thread that is replaced when it dies, with a growing delay while it keeps dying. */
export function superviseThread<Command, Report>(
  options: SupervisedThreadOptions<Report>,
): SupervisedThread<Command> {
  let stopped = false;
  let delayMs = RESTART_DELAY_MS_MIN;
  let worker: Worker | null = null;
  let startedMs = 0;
  /** It has said something: it is loaded. */
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
  let isAwaited = options.startsWithFirstCommand === true;
  if (!isAwaited) start();
  return {
    send(command) {
      if (isAwaited && !stopped) start();
      isAwaited = false;
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
