import { setTimeout as sleep } from "node:timers/promises";
import { onEachNode } from "../two-nodes-mode.js";

/**
 * Only ends a wait that hangs. Judge a time limit by `inTime`. On a host whose memory is slow, beside other tests, a
 * writer that sets rows aside one by one needed more than a minute.
 */
const PATIENCE_MS = 180_000;

/** Repeats `check` on each node until it passes. Fails with the last error after `timeoutMs`. */
export function eventually<T>(check: () => Promise<T>, timeoutMs = PATIENCE_MS): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  return onEachNode(() => untilPasses(check, deadline - performance.now()));
}

const POLL_MS = 20;
/** After a second the checks become rarer: fifty a second would slow down what they wait for. */
const SOON_MS = 1000;
const LATER_POLL_MS = 200;

/** Repeats `check` until it passes, like `eventually`, but not on each node. */
export async function untilPasses<T>(check: () => Promise<T>, timeoutMs = PATIENCE_MS): Promise<T> {
  const beganMs = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const tookMs = performance.now() - beganMs;
      if (tookMs > timeoutMs) throw error;
      await sleep(tookMs < SOON_MS ? POLL_MS : LATER_POLL_MS);
    }
  }
}
