import { parentPort, workerData } from "node:worker_threads";
import { openJournal, type JournalOptions } from "../../../src/path/journal/journal.js";

/**
 * Holds a journal's write lock, so that no commit succeeds. It posts "held" and waits until the first element of
 * `release` is woken.
 */
const { options, release } = workerData as { options: JournalOptions; release: Int32Array };
const journal = openJournal(options);
journal.transaction(() => {
  parentPort?.postMessage("held");
  Atomics.wait(release, 0, 0, 10_000);
});
await journal.close();
