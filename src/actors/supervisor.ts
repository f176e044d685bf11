import { Worker } from "node:worker_threads";

export interface SupervisedThread<Command> {
  send(command: Command): void;
  /** Ends the thread without a replacement, asking nicely first is the caller's part. */
  terminate(): Promise<void>;
}

export interface SupervisedThreadOptions<Report> {
  name: string;
  file: string;
  workerData: unknown;
  onReport(report: Report): void;
  /** The thread ended although nobody asked; a new one starts after `restartDelayMs`. */
  onCrash(error: unknown): void;
}

const RESTART_DELAY_MS_MIN = 50;
const RESTART_DELAY_MS_MAX = 1000;
/** A thread that ran this long starts over with the shortest delay. */
const STABLE_AFTER_MS = 30_000;

/** A worker thread that is replaced when it dies, with a growing delay while it keeps dying. */
export function superviseThread<Command, Report>(
  options: SupervisedThreadOptions<Report>,
): SupervisedThread<Command> {
  let stopped = false;
  let delayMs = RESTART_DELAY_MS_MIN;
  let worker: Worker;

  const start = (): void => {
    const startedMs = performance.now();
    let failure: unknown = null;
    worker = new Worker(options.file, { workerData: options.workerData, name: options.name });
    worker.on("message", (report: Report) => options.onReport(report));
    worker.on("error", (error) => {
      failure = error;
    });
    worker.on("exit", (code) => {
      if (stopped) return;
      options.onCrash(failure ?? new Error(`${options.name} thread exited with code ${code}`));
      if (performance.now() - startedMs > STABLE_AFTER_MS) delayMs = RESTART_DELAY_MS_MIN;
      setTimeout(() => {
        if (!stopped) start();
      }, delayMs);
      delayMs = Math.min(RESTART_DELAY_MS_MAX, delayMs * 2);
    });
  };
  start();
  return {
    send: (command) => worker.postMessage(command),
    async terminate() {
      stopped = true;
      await worker.terminate();
    },
  };
}
