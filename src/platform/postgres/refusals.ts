import { monotonicMs } from "../timing/clock.js";
import type { Logger } from "../telemetry/logger.js";

const LOG_INTERVAL_MS = 60_000;

/**
 * Logs PostgreSQL's refusals, each SQLSTATE at most once a minute. Otherwise the log would fill up with the retries of
 * waiting records, and with refused reads among successful ones. A null SQLSTATE means "not refused" and logs nothing.
 * `fields` say where the refusal happened.
 */
export function createRefusalLog(
  log: Logger,
  message: string,
  nowMs: () => number = monotonicMs,
): (sqlState: string | null, fields?: object) => void {
  const lastLoggedMs = new Map<string, number>();
  return (sqlState, fields) => {
    if (sqlState === null || nowMs() - (lastLoggedMs.get(sqlState) ?? -Infinity) < LOG_INTERVAL_MS) return;
    lastLoggedMs.set(sqlState, nowMs());
    log.warn({ sqlstate: sqlState, ...fields }, message);
  };
}
