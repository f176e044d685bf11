import { parentPort, workerData } from "node:worker_threads";
import type { ReaderCommand, ReaderReport } from "../../../src/features/reader/messages.js";

/**
 * The indexes into the shared memory: the number of reads received, the number that may be answered, and 1 once the
 * thread may report that it has loaded.
 */
export const RECEIVED = 0;
export const ALLOWED = 1;
export const LOADS = 2;

const LOOK_INTERVAL_MS = 5;

/** Answers only the allowed number of reads. Each answer is the read's number. */
const counts = (workerData as { counts?: Int32Array } | null)?.counts;
if (counts !== undefined) {
  const held: number[] = [];
  let answered = 0;
  let isLoaded = false;
  const looking = setInterval(() => {
    if (!isLoaded && Atomics.load(counts, LOADS) === 1) {
      isLoaded = true;
      parentPort?.postMessage({ type: "loaded" } satisfies ReaderReport);
    }
    for (; held.length > 0 && answered < Atomics.load(counts, ALLOWED); answered++) {
      parentPort?.postMessage({ type: "answer", ticket: held.shift(), json: String(answered) });
    }
  }, LOOK_INTERVAL_MS);
  parentPort?.on("message", (command: ReaderCommand) => {
    if (command.type === "stop") {
      clearInterval(looking);
      parentPort?.close();
      return;
    }
    held.push(command.ticket);
    Atomics.add(counts, RECEIVED, 1);
  });
}
