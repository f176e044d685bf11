import { existsSync, rmSync } from "node:fs";
import { workerData } from "node:worker_threads";

/** The extra data of a worker that can die. */
export interface MortalWorkerData {
  /** The production entry point that this thread runs. */
  module: string;
  /** The thread dies once this file exists. The thread removes it. */
  deathFile: string;
  cause: "exit" | "throw";
}

/** Runs a production worker that dies on command. Only its death belongs to the test. */
const { mortal } = workerData as { mortal: MortalWorkerData };
// The timer is unreferenced. Otherwise a thread that is asked to stop could only be ended by force.
setInterval(() => {
  if (!existsSync(mortal.deathFile)) return;
  rmSync(mortal.deathFile);
  if (mortal.cause === "exit") process.exit(9);
  throw new Error("the test ends this thread");
}, 5).unref();
await import(mortal.module);
