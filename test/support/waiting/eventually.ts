import { setTimeout as sleep } from "node:timers/promises";
import { onEachNode } from "../two-nodes-mode.js";

/** Ends what would hang. It is no time limit: those are judged by `inTime`, and a starved host needs more than ten seconds. */
const PATIENCE_MS = 60_000;

/** Asks until `check` passes, on each node; fails with its last error after `timeoutMs`. */
export function eventually<T>(check: () => Promise<T>, timeoutMs = PATIENCE_MS): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  return onEachNode(() => untilPasses(check, deadline - performance.now()));
}

const POLL_MS = 20;
/** What has not happened within a second is waited for: asking fifty times a second would take from what is to happen. */
const SOON_MS = 1000;
const LATER_POLL_MS = 200;

/** The same of one check, whichever nodes it asks. */
export async function untilPasses<T>(check: () => Promise<T>, timeoutMs: number): Promise<T> {
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
