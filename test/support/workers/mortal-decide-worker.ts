import { existsSync, unlinkSync } from "node:fs";
import { workerData } from "node:worker_threads";
import type { DecideReply, DecideTask } from "../../../src/path/decide/pool/messages.js";
import decideBatch from "../../../workers/decide.js";

/** The extra data of a decide worker that can die. Each file triggers one kind of failure while it exists. */
export interface MortalDecideData {
  /** The thread dies before it decides anything. */
  beforeFile: string;
  /** The thread dies when the batch is committed but not yet answered. */
  afterFile: string;
  /** While this file exists, no worker finishes loading. */
  bootFile: string;
  /** The thread waits forever before it decides anything. */
  hangFile: string;
}

/** The production decide worker, which the test can kill. */
const { mortal } = workerData as { mortal: MortalDecideData };
if (existsSync(mortal.bootFile)) throw new Error("the test keeps this worker from loading");

/** Several workers may see the file, but only the worker that removes it dies. For the others, `unlinkSync` throws. */
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
