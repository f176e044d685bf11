import { existsSync, rmSync } from "node:fs";
import { workerData } from "node:worker_threads";

/** What `mortal` adds to a worker's data. */
export interface MortalWorkerData {
  /** The production entry point this thread runs. */
  module: string;
  /** The thread dies as soon as this file is there, which it removes. */
  deathFile: string;
  cause: "exit" | "throw";
}

/** A production worker that dies on command: the entry point is the real one, only its end is the test's. */
const { mortal } = workerData as { mortal: MortalWorkerData };
// Unheld, or a thread that is asked to stop would have to be ended by force when its time is over.
setInterval(() => {
  if (!existsSync(mortal.deathFile)) return;
  rmSync(mortal.deathFile);
  if (mortal.cause === "exit") process.exit(9);
  throw new Error("the test ends this thread");
}, 5).unref();
await import(mortal.module);
