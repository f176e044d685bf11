import "../src/platform/threads/navigator.js";
import { parentPort, workerData } from "node:worker_threads";
import { TUNING } from "../src/domain/vocabulary/tuning.js";
import { EventSender } from "../src/features/events/sender/event-sender.js";
import type { EventCommand, EventReport, EventWorkerData } from "../src/features/events/sender/messages.js";
import { createPublicResolver, resolveLocally } from "../src/features/events/sender/resolve-host.js";
import { createSecretBox } from "../src/platform/node/secret-box.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { refusalOf } from "../src/platform/postgres/sql-state.js";
import { runThreadInBackground } from "../src/platform/threads/background.js";
import { now } from "../src/platform/timing/clock.js";

runThreadInBackground();
const { databaseUrl, statementTimeoutMs, nodeId, secretKey, allowsPrivate } = workerData as EventWorkerData;
const pool = createPool({
  connectionString: databaseUrl,
  connectionsMax: TUNING.eventConnectionsMax,
  statementTimeoutMs,
  connectionTimeoutMs: statementTimeoutMs,
  applicationName: "payinference-events",
});
const sender = new EventSender({
  pool,
  nodeId,
  box: createSecretBox(secretKey),
  resolve: allowsPrivate ? resolveLocally : createPublicResolver(),
  allowsPrivate,
  now,
  onError(error) {
    const name = error instanceof Error ? error.name : "Error";
    parentPort?.postMessage({ type: "failed", name, code: refusalOf(error) } satisfies EventReport);
  },
});

parentPort?.on("message", (command: EventCommand) => {
  if (command.type === "look") return void sender.look();
  sender.stop();
  void pool.end().then(() => parentPort?.close());
});
