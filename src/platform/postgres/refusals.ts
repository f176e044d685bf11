import { monotonicMs } from "../timing/clock.js";
import type { Logger } from "../telemetry/logger.js";

const LOGGED_AGAIN_MS = 60_000;

/**
 * Logs what PostgreSQL refuses, each SQLSTATE once a minute at most: a waiting write is tried again all the time, and a
 * refused read is one of many. Null means that nothing was refused, and logs nothing. `fields` say where it happened.
 */
export function logRefusals(
  log: Logger,
  message: string,
  nowMs: () => number = monotonicMs,
): (sqlState: string | null, fields?: object) => void {
  const loggedMs = new Map<string, number>();
  return (sqlState, fields) => {
    if (sqlState === null || nowMs() - (loggedMs.get(sqlState) ?? -Infinity) < LOGGED_AGAIN_MS) return;
    loggedMs.set(sqlState, nowMs());
    log.warn({ sqlstate: sqlState, ...fields }, message);
  };
}
