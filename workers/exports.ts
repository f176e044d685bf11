import "../src/platform/threads/navigator.js";
import { parentPort, workerData } from "node:worker_threads";
import { LIMITS } from "../src/domain/vocabulary/limits.js";
import { EXPORT_TUNING } from "../src/features/exports/queries/export-tuning.js";
import { ExportMaker } from "../src/features/exports/maker/export-maker.js";
import type {
  ExportCommand,
  ExportReport,
  ExportWorkerData,
} from "../src/features/exports/maker/messages.js";
import { OLDER_LOG } from "../src/domain/vocabulary/tuning/older-log.js";
import { olderLogsAt } from "../src/platform/clickhouse/older-logs-at.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { refusalOf } from "../src/platform/postgres/sql-state.js";
import { createTenantDb } from "../src/platform/postgres/tenant-db.js";
import { runThreadInBackground } from "../src/platform/threads/background.js";
import { now } from "../src/platform/timing/clock.js";

runThreadInBackground();
const { databaseUrl, retentionDays, nodeId, clickHouseUrl } = workerData as ExportWorkerData;
const connections = {
  connectionString: databaseUrl,
  statementTimeoutMs: EXPORT_TUNING.statementTimeoutMs,
};
const pool = createPool({
  ...connections,
  connectionsMax: EXPORT_TUNING.connectionsMax,
  applicationName: "payinference-exports",
});
const tenants = createTenantDb({
  retention: { days: retentionDays, now },
  ...connections,
  connectionsMax: EXPORT_TUNING.atOnceMax,
  applicationName: "payinference-export-reads",
  olderLogs: await olderLogsAt(clickHouseUrl, OLDER_LOG.exportTimeoutMs, (query) =>
    parentPort?.postMessage({ type: "older_query", query } satisfies ExportReport),
  ),
});
let hasSteppedBack = false;
const maker = new ExportMaker({
  pool,
  tenants,
  nodeId,
  fileBytesMax: LIMITS.exportBytesMax,
  longBytes: EXPORT_TUNING.longBytes,
  onLong() {
    if (!hasSteppedBack) runThreadInBackground(EXPORT_TUNING.longNice);
    hasSteppedBack = true;
  },
  now,
  onError(error) {
    const name = error instanceof Error ? error.name : "Error";
    parentPort?.postMessage({ type: "failed", name, code: refusalOf(error) } satisfies ExportReport);
  },
});

parentPort?.on("message", (command: ExportCommand) => {
  if (command.type === "look") return void maker.look();
  void maker.stop().finally(() => process.exit());
});
