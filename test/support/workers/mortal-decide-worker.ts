import { existsSync, unlinkSync } from "node:fs";
import { workerData } from "node:worker_threads";
import type { DecideReply, DecideTask } from "../../../src/path/decide/pool/messages.js";
import decideBatch from "../../../workers/decide.js";

/** What `mortal` adds to a decide worker's data: the thread dies in the batch during which such a file is there. */
export interface MortalDecideData {
  /** Dies before anything is decided. */
  beforeFile: string;
  /** Dies when the batch is committed but not yet answered. */
  afterFile: string;
  /** While this file is there, no worker gets through loading. */
  bootFile: string;
  /** Waits for ever before anything is decided. */
  hangFile: string;
}

/** The production decide worker, with an end that the test commands. */
const { mortal } = workerData as { mortal: MortalDecideData };
if (existsSync(mortal.bootFile)) throw new Error("the test keeps this worker from loading");

/** Of several workers that see the file only the one that removes it dies; `rmSync` says nothing when another was faster. */
function dieIf(file: string): void {
  if (!existsSync(file)) return;
  try {
    unlinkSync(file);
  } catch {
    return;
  }
  process.exit(9);
}

export default async function decide(task: DecideTask): Promise<DecideReply> {
  if (task.bodies.length > 0) dieIf(mortal.beforeFile);
  if (existsSync(mortal.hangFile)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  const reply = await decideBatch(task);
  if (task.bodies.length > 0) dieIf(mortal.afterFile);
  return reply;
}
