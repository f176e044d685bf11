import "../src/platform/threads/navigator.js";
import { parentPort, workerData } from "node:worker_threads";
import { createAmountTracker } from "../src/path/writer/amount-tracker.js";
import { runThreadInBackground } from "../src/platform/threads/background.js";
import type { WriterCommand, WriterWorkerData } from "../src/path/writer/messages.js";
import { createWriterActor } from "../src/path/writer/writer-actor.js";
import { createDiskRoomCheck } from "../src/platform/node/disk-room.js";
import { openJournal } from "../src/path/journal/journal.js";
import { loadChangedAmounts, saveAmounts } from "../src/path/writer/amount-queries.js";
import { createDecisionWriter } from "../src/path/writer/decision-writer.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { openReplica } from "../src/path/replica/replica.js";
import { now } from "../src/platform/timing/clock.js";

runThreadInBackground();
const { dataDir, journal: journalOptions, databaseUrl, nodeId } = workerData as WriterWorkerData;
const journal = openJournal(journalOptions);
const replica = openReplica(dataDir, createDiskRoomCheck(dataDir));
const pool = createPool({
  connectionString: databaseUrl,
  connectionsMax: 2,
  statementTimeoutMs: 10_000,
  applicationName: "payinference-writer",
});

const actor = createWriterActor({
  journal,
  writer: createDecisionWriter(pool, {
    nodeId,
    onRetriedOutcomes: (retried) => actor.noteRetried(retried),
    onFoldRefused: (error) => actor.noteFoldRefused(error),
  }),
  amounts: createAmountTracker({
    nodeId,
    save: (amounts) => saveAmounts(pool, amounts),
    loadChanged: (withinSeconds) => loadChangedAmounts(pool, withinSeconds),
    publish: replica.putCatalog,
  }),
  report: (report) => parentPort?.postMessage(report),
  now,
});
const started = new Promise<void>((resolve) => {
  parentPort?.on("message", (command: WriterCommand) => {
    if (command.type !== "persist_through") resolve();
    if (command.type !== "begin") actor.command(command);
  });
});

await started;
await actor.run();
await pool.end();
await journal.close();
await replica.close();
parentPort?.close();
