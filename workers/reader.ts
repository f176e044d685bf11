import { parentPort, workerData } from "node:worker_threads";
import type { ReaderCommand } from "../src/actors/messages.js";
import { createReaderActor } from "../src/actors/reader-actor.js";
import { lowerThreadPriority } from "../src/actors/thread-priority.js";
import type { ReaderWorkerData } from "../src/actors/worker-data.js";
import { createPool } from "../src/persistence/pool.js";
import { createReads } from "../src/read/reads.js";
import { LIMITS } from "../src/shared/limits.js";

lowerThreadPriority();
const { databaseUrl } = workerData as ReaderWorkerData;
const pool = createPool({
  connectionString: databaseUrl,
  connectionsMax: LIMITS.readerConnectionsMax,
  statementTimeoutMs: LIMITS.databaseReadTimeoutMs,
  applicationName: "payinference-reader",
});
const answer = createReaderActor(createReads(pool, Date.now), (report) => parentPort?.postMessage(report));

parentPort?.on("message", (command: ReaderCommand) => {
  if (command.type === "read") return answer(command);
  void pool.end().then(() => parentPort?.close());
});
