import "../src/platform/threads/navigator.js";
import { parentPort, workerData } from "node:worker_threads";
import { LOG_COPY } from "../src/domain/vocabulary/tuning/log-copy.js";
import { onOneNode } from "../src/path/log-copy/lane-queries.js";
import { createLogCopier } from "../src/path/log-copy/log-copier.js";
import type { LogCopyReport, LogCopyWorkerData } from "../src/path/log-copy/messages.js";
import { removePastOwnLimits } from "../src/path/log-copy/own-limits.js";
import { openClickHouse } from "../src/platform/clickhouse/clickhouse.js";
import { migrateClickHouse } from "../src/platform/clickhouse/migrate-clickhouse.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { runThreadInBackground } from "../src/platform/threads/background.js";
import { monotonicMs, now } from "../src/platform/timing/clock.js";

runThreadInBackground();
const { databaseUrl, clickHouseUrl, nodeId, migrationsDir } = workerData as LogCopyWorkerData;
const pool = createPool({
  connectionString: databaseUrl,
  connectionsMax: LOG_COPY.connectionsMax,
  statementTimeoutMs: LOG_COPY.statementTimeoutMs,
  applicationName: "payinference-log-copy",
});
const clickHouse = openClickHouse({
  url: clickHouseUrl,
  requestTimeoutMs: LOG_COPY.requestTimeoutMs,
  applicationName: "payinference",
});
const copier = createLogCopier({
  pool,
  clickHouse,
  nodeId,
  prepare: () => onOneNode(pool, () => migrateClickHouse(clickHouse, migrationsDir)),
  removePast: () => removePastOwnLimits(pool, clickHouse, now()),
  report: (report: LogCopyReport) => parentPort?.postMessage(report),
  monotonicMs,
});

parentPort?.on("message", () => {
  void copier.end().finally(() => process.exit());
});
copier.begin();
