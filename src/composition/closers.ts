import { within } from "../platform/timing/within.js";
import type { Settings } from "../platform/settings/settings.js";
import type { Logger } from "../platform/telemetry/logger.js";

/** The time limits of a stop, on the clock of `performance.now()`. */
export interface StopTimes {
  /** The journal has until then to drain. */
  drainUntilMs: number;
  /** Every part must be closed by then. */
  closeUntilMs: number;
}

type Close = (times: StopTimes) => Promise<unknown> | void;

/** Collects the closers of the parts. A part adds its closer when it has begun. */
export interface Closers {
  push(close: Close): void;
}

export interface AllClosers extends Closers {
  closeAll(times: StopTimes): Promise<void>;
}

/** A start that fails drains nothing, and closes without a deadline. */
export const FAILED_START: StopTimes = { drainUntilMs: 0, closeUntilMs: Number.POSITIVE_INFINITY };

/** A connection to a frozen PostgreSQL never closes by itself. */
const CONNECTION_CLOSE_TIMEOUT_MS = 250;
/** The part of SHUTDOWN_GRACE_MS that is left for closing connections after the journal's time is over. */
export const CLOSE_RESERVE_MS = 4 * CONNECTION_CLOSE_TIMEOUT_MS;
/** The part for the embedded PostgreSQL. After it, PostgreSQL is terminated and recovers at the next start. */
export const SERVER_STOP_MS = 1000;

/** The times of a stop that begins now. The journal gets at least half of a short grace period. */
export function stopTimes({
  shutdownGraceMs,
  database,
}: Pick<Settings, "shutdownGraceMs" | "database">): StopTimes {
  const closeUntilMs = performance.now() + shutdownGraceMs;
  const serverStopMs = database.kind === "embedded" ? SERVER_STOP_MS : 0;
  const reservedMs = Math.min(CLOSE_RESERVE_MS + serverStopMs, shutdownGraceMs / 2);
  return { closeUntilMs, drainUntilMs: closeUntilMs - reservedMs };
}

/**
 * Ends the parts in reverse order. If a part fails to end, the failure is logged and the others are still ended. A part
 * that begins during the stop is ended next, because PostgreSQL may come back while a node stops.
 */
export function createClosers(log: Logger): AllClosers {
  const closers: Close[] = [];
  return {
    push: (close) => void closers.push(close),
    async closeAll(times) {
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        try {
          await close(times);
        } catch (error) {
          log.error({ err: error }, "a part did not close");
        }
      }
    },
  };
}

export async function withinCloseTimeout(closing: Promise<unknown>): Promise<void> {
  await within(closing, CONNECTION_CLOSE_TIMEOUT_MS, undefined);
}
