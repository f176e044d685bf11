import { parentPort, workerData } from "node:worker_threads";
import { openJournal, type JournalOptions } from "../../../src/path/journal/journal.js";

/** Holds a journal's write lock from "held" until the first element of `release` is woken: no commit gets through. */
const { options, release } = workerData as { options: JournalOptions; release: Int32Array };
const journal = openJournal(options);
journal.transaction(() => {
  parentPort?.postMessage("held");
  Atomics.wait(release, 0, 0, 10_000);
});
await journal.close();
