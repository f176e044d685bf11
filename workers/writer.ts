import { parentPort, workerData } from "node:worker_threads";
import type { WriterCommand } from "../src/actors/messages.js";
import type { WriterWorkerData } from "../src/actors/worker-data.js";
import { createWriterActor } from "../src/actors/writer-actor.js";
import { openJournal } from "../src/journal/journal.js";
import { createDecisionWriter } from "../src/persistence/decision-writer.js";
import { createPool } from "../src/persistence/pool.js";

const { journal: journalOptions, databaseUrl, nodeId } = workerData as WriterWorkerData;
const journal = openJournal(journalOptions);
const pool = createPool({
  connectionString: databaseUrl,
  connectionsMax: 2,
  statementTimeoutMs: 10_000,
  applicationName: "payinference-writer",
});

const actor = createWriterActor({
  journal,
  writer: createDecisionWriter(pool, { nodeId }),
  report: (report) => parentPort?.postMessage(report),
  now: Date.now,
});
parentPort?.on("message", (command: WriterCommand) => actor.command(command));

await actor.run();
await pool.end();
await journal.close();
parentPort?.close();
