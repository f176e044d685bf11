import type { Logger } from "../telemetry/logger.js";
import type { Metrics } from "../telemetry/metrics.js";
import type { ErrandCommand, ErrandReport } from "./errand-messages.js";
import { superviseThread } from "./supervisor.js";

export interface ErrandThreadOptions {
  /** Of the thread: a metric label, and what the log calls it. */
  name: "password" | "translate";
  file: string;
  workerData?: unknown;
  metrics: Metrics;
  log: Logger;
}

export interface ErrandThread<Task, Answer> {
  /**
   * Rejects when the thread dies over it, or says `failed`. What is asked while the thread is being replaced waits for
   * the new one: callers bound how much that is.
   */
  ask(task: Task): Promise<Answer>;
  stop(): Promise<void>;
}

interface Waiter<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

const STOP_TIMEOUT_MS = 500;

/**
 * A thread that computes one thing at a time for the front thread, which must not be held up by it, at a lower priority
 * and from the first time on that it is asked.
 */
export function superviseErrands<Task, Answer>({
  name,
  file,
  workerData,
  metrics,
  log,
}: ErrandThreadOptions): ErrandThread<Task, Answer> {
  const waiting = new Map<number, Waiter<Answer>>();
  /** What no thread has been sent yet. */
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
      else waiter?.reject(new Error(`the ${name} thread could not do it: ${report.where}`));
    },
    onCrash(error) {
      metrics.workerCrashed(name);
      log.error({ err: error }, `the ${name} thread died and is replaced`);
      // Not tried again: it may be what it died of.
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
