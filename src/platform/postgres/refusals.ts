import { monotonicMs } from "../timing/clock.js";
import type { Logger } from "../telemetry/logger.js";

const TOLD_AGAIN_MS = 60_000;

/**
 * Logs what PostgreSQL refuses, by its SQLSTATE and each at most once a minute: what waits is tried again all the time, and
 * reads that are refused come between others that are not. Null, of what was not refused, says nothing. `fields` say where.
 */
export function tellRefusals(
  log: Logger,
  message: string,
  nowMs: () => number = monotonicMs,
): (sqlState: string | null, fields?: object) => void {
  const toldMs = new Map<string, number>();
  return (sqlState, fields) => {
    if (sqlState === null || nowMs() - (toldMs.get(sqlState) ?? -Infinity) < TOLD_AGAIN_MS) return;
    toldMs.set(sqlState, nowMs());
    log.warn({ sqlstate: sqlState, ...fields }, message);
  };
}
