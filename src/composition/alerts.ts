import type { Pool } from "pg";
import { createAlertSync, type AlertSync } from "../features/alerts/alert-sync.js";
import { storeAlerts } from "../features/alerts/alert-writer.js";
import type { Logger } from "../platform/telemetry/logger.js";
import { now } from "../platform/timing/clock.js";
import type { Metrics } from "../platform/telemetry/metrics.js";

export interface AlertParts {
  /** Asked once the first alert is stored. */
  database(): Pool;
  databaseIsReachable(): boolean;
  /** The 26 characters of a new id. */
  nextId(): string;
  metrics: Pick<Metrics, "recordSkipped">;
  log: Logger;
}

/** What this node's prober sees becomes alerts in PostgreSQL. */
export function composeAlerts({
  database,
  databaseIsReachable,
  nextId,
  metrics,
  log,
}: AlertParts): AlertSync {
  const onSkipped = (error: unknown): void => {
    metrics.recordSkipped("alert");
    log.error({ err: error }, "PostgreSQL refuses an alert for what it holds: it is passed over");
  };
  return createAlertSync({
    store: (batch) => storeAlerts(database(), batch, nextId, onSkipped),
    isReachable: databaseIsReachable,
    now,
    onError: (error) => log.warn({ err: error }, "alerts are not stored yet; trying again"),
  });
}
