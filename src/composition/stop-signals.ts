import type { EventEmitter } from "node:events";
import { constants } from "node:os";
import type { Logger } from "../platform/telemetry/logger.js";
import { CLOSE_RESERVE_MS } from "./closers.js";

/** SIGHUP is sent when a terminal closes. */
const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
/** Ctrl-C reaches both npm and this process, and npm forwards it. Two signals within this time are one keystroke. */
const SAME_KEYSTROKE_MS = 100;

export interface StopSignalsOptions {
  /** The emitter of the signals: `process`. */
  signals: EventEmitter;
  /** Rejects if the start is aborted or fails. */
  starting: Promise<{ stop(): Promise<void> }>;
  /** Aborts a start that is still running. */
  abortStart: AbortController;
  graceMs: number;
  log: Pick<Logger, "info" | "warn" | "fatal">;
  exit(code: number): void;
  now?: () => number;
}

/**
 * OPS-7, OPS-10: the first signal stops the service, or its start, and exits with 0. A second signal ends the process
 * at once. So does a stop that takes longer than the grace period and the time reserved for closing. In both cases no
 * acknowledged record is lost, because the next start continues the journal. A running embedded PostgreSQL is then
 * stopped by the watch of its process.
 */
export function stopOnSignals(options: StopSignalsOptions): void {
  const { signals, starting, abortStart, graceMs, log, exit, now = () => performance.now() } = options;
  let first: { signal: string; atMs: number } | null = null;

  const stop = async (): Promise<void> => {
    abortStart.abort();
    const service = await starting.catch((error: unknown) => {
      if (!isAbort(error)) log.warn({ err: error }, "the start ended while it was stopped");
      return null;
    });
    await service?.stop();
    exit(0);
  };

  for (const signal of STOP_SIGNALS) {
    signals.on(signal, () => {
      if (first !== null) {
        const isSame = signal === "SIGINT" && first.signal === signal;
        if (isSame && now() - first.atMs < SAME_KEYSTROKE_MS) return;
        log.warn({ signal }, "ending at once: a second signal came while the service stopped");
        return exit(128 + constants.signals[signal]);
      }
      first = { signal, atMs: now() };
      log.info({ signal }, "stopping");
      setTimeout(() => {
        log.fatal({ graceMs }, "ending: the stop took longer than SHUTDOWN_GRACE_MS");
        exit(1);
      }, graceMs + CLOSE_RESERVE_MS).unref();
      stop().catch((error: unknown) => {
        log.fatal({ err: error }, "could not stop cleanly");
        exit(1);
      });
    });
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
