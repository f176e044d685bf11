import type { Logger } from "../telemetry/logger.js";
import type { Metrics } from "../telemetry/metrics.js";
import type { ErrandCommand, ErrandReport } from "./errand-messages.js";
import { superviseThread } from "./supervisor.js";

export interface ErrandThreadOptions {
  /** The thread's name in the metrics and in the log. */
  name: "password" | "translate";
  file: string;
  workerData?: unknown;
  metrics: Metrics;
  log: Logger;
}

export interface ErrandThread<Task, Answer> {
  /**
   * Rejects if the thread dies before it answers, reports `failed` or is stopped. Tasks wait while a dead thread is
   * being replaced. Limit the number of waiting tasks.
   */
  ask(task: Task): Promise<Answer>;
  stop(): Promise<void>;
}

interface Waiter<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

const STOP_TIMEOUT_MS = 500;

/** A thread that does one task at a time for the front thread, at a lower priority. It starts with its first task. */
export function superviseErrands<Task, Answer>({
  name,
  file,
  workerData,
  metrics,
  log,
}: ErrandThreadOptions): ErrandThread<Task, Answer> {
  const waiting = new Map<number, Waiter<Answer>>();
  /** Tasks that no thread has received yet. */
  const unsent = new Map<number, Task>();
  let lastTicket = 0;
  const take = (ticket: number): Waiter<Answer> | undefined => {
    const waiter = waiting.get(ticket);
    waiting.delete(ticket);
    return waiter;
  };
  const thread = superviseThread<ErrandCommand<Task>, ErrandReport<Answer>>({
    name,
    file,
    workerData,
    startsWithFirstCommand: true,
    onReport(report) {
      const waiter = take(report.ticket);
      if (report.type === "answer") waiter?.resolve(report.answer);
      else waiter?.reject(new Error(`the ${name} thread failed at a task: ${report.where}`));
    },
    onCrash(error) {
      metrics.workerCrashed(name);
      log.error({ err: error }, `the ${name} thread died and is replaced`);
      // Do not repeat the task: it may be the reason why the thread died.
      for (const ticket of waiting.keys()) {
        if (!unsent.has(ticket)) take(ticket)?.reject(new Error(`the ${name} thread died`));
      }
    },
    onReplaced() {
      for (const [ticket, task] of unsent) send(ticket, task);
    },
  });
  const send = (ticket: number, task: Task): void => {
    if (thread.send({ type: "work", ticket, task })) unsent.delete(ticket);
    else unsent.set(ticket, task);
  };
  let isStopped = false;
  return {
    ask: (task) =>
      new Promise((resolve, reject) => {
        if (isStopped) return reject(new Error(`the ${name} thread is stopped`));
        const ticket = ++lastTicket;
        waiting.set(ticket, { resolve, reject });
        send(ticket, task);
      }),
    stop() {
      isStopped = true;
      for (const ticket of unsent.keys()) take(ticket)?.reject(new Error(`the ${name} thread is stopped`));
      return thread.stop({ type: "stop" }, STOP_TIMEOUT_MS);
    },
  };
}
