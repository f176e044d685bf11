import "../src/shared/navigator.js";
import { parentPort, workerData } from "node:worker_threads";
import type { ReaderCommand } from "../src/actors/messages.js";
import { createReaderActor } from "../src/actors/reader-actor.js";
import { runThreadInBackground } from "../src/shared/background.js";
import type { ReaderWorkerData } from "../src/actors/worker-data.js";
import { createTenantDb } from "../src/persistence/tenant-db.js";
import { createReads } from "../src/read/reads.js";
import { LIMITS } from "../src/shared/limits.js";

runThreadInBackground();
const { databaseUrl } = workerData as ReaderWorkerData;
const tenants = createTenantDb({
  connectionString: databaseUrl,
  connectionsMax: LIMITS.readerConnectionsMax,
  statementTimeoutMs: LIMITS.databaseReadTimeoutMs,
  applicationName: "payinference-reader",
});
const answer = createReaderActor(createReads(tenants, Date.now), (report) => parentPort?.postMessage(report));

parentPort?.on("message", (command: ReaderCommand) => {
  if (command.type === "read") return answer(command);
  void tenants.end().then(() => parentPort?.close());
});
