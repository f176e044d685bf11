import type { PasswordWork } from "../auth/password-queue.js";
import type { Logger } from "../telemetry/logger.js";
import type { Metrics } from "../telemetry/metrics.js";
import type { PasswordCommand, PasswordReport, PasswordTask } from "./messages.js";
import { superviseThread } from "./supervisor.js";

export interface PasswordThreadOptions {
  file: string;
  workerData?: unknown;
  metrics: Metrics;
  log: Logger;
}

export interface PasswordThread extends PasswordWork {
  stop(): Promise<void>;
}

interface Waiter {
  resolve(answer: string | boolean): void;
  reject(error: Error): void;
}

const STOP_TIMEOUT_MS = 500;

/** Argon2 as the front thread sees it: on a thread that steps back behind those that answer merchants. */
export function supervisePasswords({
  file,
  workerData,
  metrics,
  log,
}: PasswordThreadOptions): PasswordThread {
  const waiting = new Map<number, Waiter>();
  let lastTicket = 0;
  const take = (ticket: number): Waiter | undefined => {
    const waiter = waiting.get(ticket);
    waiting.delete(ticket);
    return waiter;
  };
  const thread = superviseThread<PasswordCommand, PasswordReport>({
    name: "password",
    file,
    workerData,
    startsWithFirstCommand: true,
    onReport({ ticket, answer }) {
      if (answer === null) take(ticket)?.reject(new Error("a stored password hash cannot be read"));
      else take(ticket)?.resolve(answer);
    },
    onCrash(error) {
      metrics.workerCrashed("password");
      log.error({ err: error }, "the password thread died and is replaced");
      // Not tried again: it may be what it died of.
      for (const ticket of waiting.keys()) take(ticket)?.reject(new Error("the password thread died"));
    },
  });
  const ask = (task: PasswordTask): Promise<string | boolean> => {
    const ticket = ++lastTicket;
    return new Promise((resolve, reject) => {
      if (thread.send({ type: "work", ticket, task })) waiting.set(ticket, { resolve, reject });
      else reject(new Error("the password thread is being replaced"));
    });
  };
  return {
    hash: (password) => ask({ kind: "hash", password }) as Promise<string>,
    verify: (password, passwordHash) => ask({ kind: "verify", password, passwordHash }) as Promise<boolean>,
    stop: () => thread.stop({ type: "stop" }, STOP_TIMEOUT_MS),
  };
}
