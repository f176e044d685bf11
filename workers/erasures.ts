import "../src/platform/threads/navigator.js";
import { parentPort, workerData } from "node:worker_threads";
import { ERASURE_TUNING } from "../src/domain/vocabulary/tuning/erasures.js";
import { createEraser } from "../src/features/erasures/job/eraser.js";
import type {
  ErasureCommand,
  ErasureReport,
  ErasureWorkerData,
} from "../src/features/erasures/job/messages.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { refusalOf } from "../src/platform/postgres/sql-state.js";
import { runThreadInBackground } from "../src/platform/threads/background.js";

runThreadInBackground();
const { databaseUrl, archiveDir, clickHouseUrl } = workerData as ErasureWorkerData;
const pool = createPool({
  connectionString: databaseUrl,
  connectionsMax: 1,
  statementTimeoutMs: ERASURE_TUNING.statementTimeoutMs,
  applicationName: "payinference-erasures",
});
// Loads the ClickHouse client only with ANALYTICS_URL.
const clickHouse =
  clickHouseUrl === null
    ? null
    : (await import("../src/platform/clickhouse/clickhouse.js")).openClickHouse({
        url: clickHouseUrl,
        requestTimeoutMs: ERASURE_TUNING.statementTimeoutMs,
        applicationName: "payinference-erasures",
      });
const eraser = createEraser({
  pool,
  archiveDir,
  clickHouse,
  onError(error) {
    const name = error instanceof Error ? error.name : "Error";
    parentPort?.postMessage({ type: "failed", name, code: refusalOf(error) } satisfies ErasureReport);
  },
});

parentPort?.on("message", (command: ErasureCommand) => {
  if (command.type === "look") return void eraser.look();
  void eraser.stop().finally(() => process.exit());
});
