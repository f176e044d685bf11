import type { AlertSync } from "../features/alerts/alert-sync.js";
import { storeAlerts } from "../features/alerts/alert-writer.js";
import { storeNodeWord } from "../features/alerts/node-alert-writer.js";
import { createNodeAlerts, type NodeAlertsOptions } from "../features/alerts/node-alerts.js";
import type { Logger } from "../platform/telemetry/logger.js";
import { clockOffsetMs, now } from "../platform/timing/clock.js";
import type { Database } from "./database.js";
import type { OpenNode } from "./node.js";

/** The conditions that a node checks of itself. */
const CAUSES: NodeAlertsOptions["causes"] = { clock: () => clockOffsetMs() !== 0 };

export const logAlertsWait =
  (log: Logger) =>
  (error: unknown): void =>
    log.warn({ err: error }, "alerts are not stored yet; trying again");

/** Stores alerts in PostgreSQL: those of the prober's health states, and those of the node's own conditions. */
export function composeAlerts(
  { nodeId, nextId, metrics, log, closers }: OpenNode,
  ofHealth: AlertSync,
  { pool, isReachable }: Database,
): { start(): void } {
  const onSkipped = (error: unknown): void => {
    metrics.recordSkipped("alert");
    log.error({ err: error }, "PostgreSQL refuses an alert for what it holds: it is passed over");
  };
  const ofNode = createNodeAlerts({
    nodeId,
    causes: CAUSES,
    store: (word) => storeNodeWord(pool, word, nextId),
    isReachable,
    now,
    onError: logAlertsWait(log),
  });
  closers.push(() => {
    ofNode.close();
    ofHealth.close();
  });
  return {
    start() {
      ofHealth.start({ store: (batch) => storeAlerts(pool, batch, nextId, onSkipped), isReachable });
      ofNode.start();
    },
  };
}
