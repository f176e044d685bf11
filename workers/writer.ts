import "../src/platform/threads/navigator.js";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { LIMITS } from "../src/domain/vocabulary/limits.js";
import { TUNING } from "../src/domain/vocabulary/tuning.js";
import { createAmountTracker } from "../src/path/writer/amount-tracker.js";
import { runThreadInBackground } from "../src/platform/threads/background.js";
import type { WriterCommand, WriterReport, WriterWorkerData } from "../src/path/writer/messages.js";
import { createWriterActor } from "../src/path/writer/writer-actor.js";
import { createDiskRoomCheck } from "../src/platform/node/disk-room.js";
import { openJournal } from "../src/path/journal/journal.js";
import { loadChangedAmounts, saveAmounts } from "../src/path/writer/amount-queries.js";
import { createAttemptFeed } from "../src/path/writer/attempt-feed.js";
import { dropOldAttempts, readAttempts } from "../src/path/writer/attempt-queries.js";
import { createDecisionWriter, type DecisionWriter } from "../src/path/writer/decision-writer.js";
import type { CacheServer } from "../src/platform/cache/cache-client.js";
import { readDatabaseSource } from "../src/platform/postgres/database-source.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { openReplica } from "../src/path/replica/replica.js";
import { now } from "../src/platform/timing/clock.js";

interface Closable {
  close(): Promise<void>;
}

runThreadInBackground();
const {
  dataDir,
  journal: journalOptions,
  databaseUrl,
  nodeId,
  notesBatches,
  mirror,
} = workerData as WriterWorkerData;
const journal = openJournal(journalOptions);
const replica = openReplica(dataDir, createDiskRoomCheck(dataDir));
const pool = createPool({
  connectionString: databaseUrl,
  // The third connection is for a dead node's journal, which may be long.
  connectionsMax: mirror === null ? 2 : 3,
  statementTimeoutMs: 10_000,
  applicationName: "payinference-writer",
});

const port = parentPort as MessagePort;
const post: (report: WriterReport) => void = port.postMessage.bind(port);
const writerFor = (journalOf: string): DecisionWriter =>
  createDecisionWriter(pool, {
    nodeId: journalOf,
    notesBatches,
    onRetriedOutcomes: (retried) => actor.noteRetried(retried),
    onFoldRefused: (error) => actor.noteFoldRefused(error),
  });
const amounts = createAmountTracker({
  nodeId,
  save: (changed) => saveAmounts(pool, changed),
  loadChanged: (withinSeconds) => loadChangedAmounts(pool, withinSeconds),
  publish: replica.putCatalog,
});
const actor = createWriterActor({ journal, writer: writerFor(nodeId), amounts, report: post, now });
/** Loads the modules only if journals are mirrored. */
const openTakeover = async (cache: CacheServer): Promise<Closable> => {
  const [{ createTakeover }, { openDeadStreams }] = await Promise.all([
    import("../src/path/writer/takeover.js"),
    import("../src/path/mirror/dead-streams.js"),
  ]);
  const streams = openDeadStreams(cache, nodeId);
  const takeover = createTakeover({ streams, writerFor, amounts, report: post });
  takeover.begin();
  return {
    async close() {
      await takeover.end();
      streams.close();
    },
  };
};
const attempts = createAttemptFeed({
  journal,
  source: () => readDatabaseSource(pool),
  read: (after) => readAttempts(pool, after, LIMITS.retryAttemptsWindowSeconds),
  dropOld: () => dropOldAttempts(pool, TUNING.attemptsKeptSeconds),
  onForgotten: (orders) => post({ type: "attempts_forgotten", orders }),
  now,
});
const started = new Promise<boolean>((resolve) => {
  port.on("message", (command: WriterCommand) => {
    if (command.type !== "persist_through") resolve(command.type === "begin" && command.databaseIsReachable);
    if (command.type !== "begin") actor.command(command);
  });
});

const databaseIsReachable = await started;
const following = attempts.begin();
// RTRY-17: waits, because a new node must have the attempts that other nodes have stored before it decides.
if (databaseIsReachable) await following;
const takeover = mirror === null ? null : await openTakeover(mirror);
await actor.run();
await takeover?.close();
await attempts.end();
await pool.end();
await journal.close();
await replica.close();
port.close();
