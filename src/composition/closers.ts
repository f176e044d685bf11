import { within } from "../platform/timing/within.js";
import type { Settings } from "../platform/settings/settings.js";
import type { Logger } from "../platform/telemetry/logger.js";

/** The time limits of a stop, as values of `performance.now()`. */
export interface StopTimes {
  /** The drain of the journal must end by then. */
  drainUntilMs: number;
  /** All parts must be closed by then. */
  closeUntilMs: number;
}

type Close = (times: StopTimes) => Promise<unknown> | void;

/** Collects the functions that close the parts. Each part that has begun adds one. */
export interface Closers {
  push(close: Close): void;
}

export interface AllClosers extends Closers {
  closeAll(times: StopTimes): Promise<void>;
}

/** For a start that failed: nothing is drained, and closing has no deadline. */
export const FAILED_START: StopTimes = { drainUntilMs: 0, closeUntilMs: Number.POSITIVE_INFINITY };

/** The longest wait for a connection to close, because a connection to a frozen PostgreSQL never closes. */
const CONNECTION_CLOSE_TIMEOUT_MS = 250;
/** The part of SHUTDOWN_GRACE_MS that is reserved for closing connections after the journal has drained. */
export const CLOSE_RESERVE_MS = 4 * CONNECTION_CLOSE_TIMEOUT_MS;
/** How long the embedded PostgreSQL may take to stop. Then it is killed, and recovers at the next start. */
export const SERVER_STOP_MS = 1000;

/** The limits of a stop that begins now. If the grace period is short, the journal gets at least half of it. */
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
 * Closes the parts in reverse order. A failure is logged, and the remaining parts are still closed. A part that begins
 * during the stop is closed next, because PostgreSQL can come back while a node stops.
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
