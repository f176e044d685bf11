import type { Pool } from "pg";
import { createAlertSync, type AlertSync } from "../features/alerts/alert-sync.js";
import { storeAlerts } from "../features/alerts/alert-writer.js";
import { storeNodeWord } from "../features/alerts/node-alert-writer.js";
import { createNodeAlerts, type NodeAlertsOptions } from "../features/alerts/node-alerts.js";
import type { Logger } from "../platform/telemetry/logger.js";
import { clockOffsetMs, now } from "../platform/timing/clock.js";
import type { Metrics } from "../platform/telemetry/metrics.js";

/** What a node sees of itself. */
const CAUSES: NodeAlertsOptions["causes"] = { clock: () => clockOffsetMs() !== 0 };

export interface AlertParts {
  nodeId: string;
  /** Asked once the first alert is stored. */
  database(): Pool;
  databaseIsReachable(): boolean;
  /** The 26 characters of a new id. */
  nextId(): string;
  metrics: Pick<Metrics, "recordSkipped">;
  log: Logger;
}

/** What this node's prober sees, and what the node sees of itself, becomes alerts in PostgreSQL. */
export function composeAlerts({
  nodeId,
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
  const onError = (error: unknown): void =>
    log.warn({ err: error }, "alerts are not stored yet; trying again");
  const ofNode = createNodeAlerts({
    nodeId,
    causes: CAUSES,
    store: (word) => storeNodeWord(database(), word, nextId),
    isReachable: databaseIsReachable,
    now,
    onError,
  });
  const ofHealth = createAlertSync({
    store: (batch) => storeAlerts(database(), batch, nextId, onSkipped),
    isReachable: databaseIsReachable,
    now,
    onError,
  });
  return {
    note: ofHealth.note,
    start() {
      ofHealth.start();
      ofNode.start();
    },
    close() {
      ofNode.close();
      ofHealth.close();
    },
  };
}
