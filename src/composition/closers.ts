import { within } from "../platform/timing/within.js";
import type { Logger } from "../platform/telemetry/logger.js";

/** What a start owes to a stop: each part adds how it ends when it has begun. */
export interface Closers {
  push(close: () => Promise<unknown> | void): void;
}

export interface AllClosers extends Closers {
  closeAll(): Promise<void>;
}

/** A connection to a frozen PostgreSQL never closes by itself. */
const CONNECTION_CLOSE_TIMEOUT_MS = 250;
/** The part of SHUTDOWN_GRACE_MS that is kept for closing connections once the journal had its time. */
export const CLOSE_RESERVE_MS = 4 * CONNECTION_CLOSE_TIMEOUT_MS;
/** And that for the embedded PostgreSQL, which is ended by force after it; it then recovers at the next start. */
export const SERVER_STOP_MS = 1000;

/**
 * Ends the parts, the last begun first; one that fails is told and keeps none of the others from ending. A part that
 * begins meanwhile is ended next: PostgreSQL may come back while a node stops.
 */
export function createClosers(log: Logger): AllClosers {
  const closers: (() => Promise<unknown> | void)[] = [];
  return {
    push: (close) => void closers.push(close),
    async closeAll() {
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        try {
          await close();
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
