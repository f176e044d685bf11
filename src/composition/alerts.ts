import type { AlertSync } from "../features/alerts/alert-sync.js";
import { storeAlerts } from "../features/alerts/alert-writer.js";
import { storeNodeWord } from "../features/alerts/node-alert-writer.js";
import { createNodeAlerts } from "../features/alerts/node-alerts.js";
import { startRetentionJob, type RetentionJob } from "../features/retention/retention-job.js";
import { createArchiveThreads } from "../features/retention/archive/archive-thread.js";
import { RETENTION_TUNING } from "../features/retention/retention-tuning.js";
import { RETENTION_PACE } from "../domain/vocabulary/tuning/retention.js";
import { ownFile } from "../platform/node/own-files.js";
import { createPool } from "../platform/postgres/pool.js";
import type { Logger } from "../platform/telemetry/logger.js";
import { clockOffsetMs, now } from "../platform/timing/clock.js";
import { createPace } from "../platform/timing/pace.js";
import { withinCloseTimeout } from "./closers.js";
import type { Database } from "./database.js";
import type { OpenNode } from "./node.js";

export const logAlertsWait =
  (log: Logger) =>
  (error: unknown): void =>
    log.warn({ err: error }, "alerts are not stored yet; trying again");

/** Stores alerts in PostgreSQL: those about health states, and those about the node itself. */
export function composeAlerts(node: OpenNode, ofHealth: AlertSync, database: Database): { start(): void } {
  const { nodeId, nextId, metrics, log, closers } = node;
  const { pool, isReachable } = database;
  const retention = composeRetention(node, database);
  const onSkipped = (error: unknown): void => {
    metrics.recordSkipped("alert");
    log.error({ err: error }, "PostgreSQL refuses an alert for what it holds: it is passed over");
  };
  const ofNode = createNodeAlerts({
    nodeId,
    causes: { clock: () => clockOffsetMs() !== 0, retention: retention.isOverdue },
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

/** Creates the job that deletes expired data, with a connection of its own. */
function composeRetention(
  { settings, metrics, log, closers }: OpenNode,
  { url, isReachable }: Database,
): RetentionJob {
  const pool = createPool({
    connectionString: url,
    connectionsMax: 1,
    statementTimeoutMs: RETENTION_TUNING.statementTimeoutMs,
    applicationName: "payinference-retention",
  });
  const archive =
    settings.archiveDir === null
      ? null
      : createArchiveThreads({
          file: ownFile("workers/archive.js"),
          databaseUrl: url,
          root: settings.archiveDir,
          workShare: RETENTION_PACE.workShare,
        });
  const job = startRetentionJob({
    pool,
    serviceDays: settings.retentionDays,
    store: archive?.store ?? null,
    waitsForCopies: settings.analyticsUrl !== null,
    createPace: () => createPace(RETENTION_PACE),
    mayRun: () => isReachable() && clockOffsetMs() === 0,
    now,
    metrics,
    log,
  });
  closers.push(() => {
    job.close();
    archive?.close();
    return withinCloseTimeout(pool.end());
  });
  return job;
}
