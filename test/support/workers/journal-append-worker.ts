import { parentPort, workerData } from "node:worker_threads";
import { openJournal, type JournalOptions } from "../../../src/path/journal/journal.js";

/** Appends `<name> <i>` for each i and posts the sequence numbers that the journal gave it. */
const { options, name, count } = workerData as { options: JournalOptions; name: string; count: number };
const journal = openJournal(options);
const sequences = Array.from({ length: count }, (_, i) =>
  journal.transaction(() => journal.append(Buffer.from(`${name} ${i}`), 1)),
);
parentPort?.postMessage(sequences);
await journal.close();
