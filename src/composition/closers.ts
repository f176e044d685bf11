import { within } from "../platform/timing/within.js";
import type { Settings } from "../platform/settings/settings.js";
import type { Logger } from "../platform/telemetry/logger.js";

/** How long a stop may take, on the clock of `performance.now()`. */
export interface StopTimes {
  /** The journal drains until then. */
  drainUntilMs: number;
  /** Everything has to be closed by then. */
  closeUntilMs: number;
}

type Close = (times: StopTimes) => Promise<unknown> | void;

/** What a start owes to a stop: each part adds how it ends when it has begun. */
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
/** The part of SHUTDOWN_GRACE_MS that is kept for closing connections once the journal had its time. */
export const CLOSE_RESERVE_MS = 4 * CONNECTION_CLOSE_TIMEOUT_MS;
/** And that for the embedded PostgreSQL, which is ended by force after it; it then recovers at the next start. */
export const SERVER_STOP_MS = 1000;

/** Counted from now. A short grace period leaves the journal at least half of it. */
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
 * Ends the parts, the last begun first; one that fails is told and keeps none of the others from ending. A part that
 * begins meanwhile is ended next: PostgreSQL may come back while a node stops.
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
