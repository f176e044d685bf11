import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { LIMITS } from "../shared/limits.js";

/**
 * Lets the calling thread step back behind the threads that answer merchants: where cores are few, a draining writer
 * would otherwise take whole scheduler slices from the decision path. Linux gives each thread its own nice value;
 * elsewhere this does nothing.
 */
export function lowerThreadPriority(): void {
  try {
    const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(threadId, LIMITS.backgroundNice);
  } catch {
    // No /proc: priorities are an optimisation, not a promise.
  }
}
