import type { Logger } from "../telemetry/logger.js";

/**
 * Logs what PostgreSQL refuses, by its SQLSTATE and once for as long as it is the same: what waits is tried again all the
 * time. To be told of each attempt: null where it was not refused.
 */
export function tellRefusals(log: Logger, message: string): (sqlState: string | null) => void {
  let told: string | null = null;
  return (sqlState) => {
    if (sqlState !== null && sqlState !== told) log.warn({ sqlstate: sqlState }, message);
    told = sqlState;
  };
}
