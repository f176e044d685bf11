import "../src/platform/threads/navigator.js";
import { parentPort, workerData } from "node:worker_threads";
import type { ReaderCommand, ReaderReport, ReaderWorkerData } from "../src/features/reader/messages.js";
import { createReaderActor } from "../src/features/reader/reader-actor.js";
import { runThreadInBackground } from "../src/platform/threads/background.js";
import { createTenantDb } from "../src/platform/postgres/tenant-db.js";
import { olderLogsAt } from "../src/platform/clickhouse/older-logs-at.js";
import { createReads } from "../src/features/reader/reads.js";
import { OLDER_LOG } from "../src/domain/vocabulary/tuning/older-log.js";
import { TUNING } from "../src/domain/vocabulary/tuning.js";
import { now } from "../src/platform/timing/clock.js";

runThreadInBackground();
const { databaseUrl, retentionDays, statementTimeoutMs, clickHouseUrl } = workerData as ReaderWorkerData;
const tenants = createTenantDb({
  retention: { days: retentionDays, now },
  connectionString: databaseUrl,
  connectionsMax: TUNING.readerConnectionsMax,
  workspaceConnectionsMax: TUNING.readerConnectionsOwnMax,
  statementTimeoutMs,
  connectionTimeoutMs: statementTimeoutMs,
  applicationName: "payinference-reader",
  olderLogs: await olderLogsAt(clickHouseUrl, statementTimeoutMs * OLDER_LOG.readShare, (query) =>
    parentPort?.postMessage({ type: "older_query", query } satisfies ReaderReport),
  ),
});
const answer = createReaderActor(createReads(tenants, now), (report) => parentPort?.postMessage(report));

parentPort?.on("message", (command: ReaderCommand) => {
  if (command.type === "read") return answer(command);
  void tenants.end().then(() => parentPort?.close());
});
parentPort?.postMessage({ type: "loaded" } satisfies ReaderReport);
