import { setTimeout as sleep } from "node:timers/promises";
import { onEachNode } from "./two-nodes-mode.js";

/** Asks until `check` passes, on each node; fails with its last error after `timeoutMs`. */
export function eventually<T>(check: () => Promise<T>, timeoutMs = 10_000): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  return onEachNode(() => untilPasses(check, deadline - performance.now()));
}

/** The same of one check, whichever nodes it asks. */
export async function untilPasses<T>(check: () => Promise<T>, timeoutMs: number): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
