import { setTimeout as sleep } from "node:timers/promises";
import { CLIENT_LIMITS } from "./client-limits.js";
import type { Received } from "./connection.js";

/**
 * The delay before a retry: exponential backoff with full jitter. It is between 0 and a bound that doubles with each
 * attempt, up to `retryDelayMsMax`. `random` is in [0, 1), and `attempt` counts from 0.
 */
export function retryDelayMs(attempt: number, random: number): number {
  return random * Math.min(CLIENT_LIMITS.retryDelayMsMax, CLIENT_LIMITS.retryDelayBaseMs * 2 ** attempt);
}

/**
 * CLI-2: an answer is never retried, whatever its status. A network error or a timeout is retried up to `retries`
 * times. A malformed answer counts as an answer, because the next one would be malformed too.
 */
export async function withRetries(retries: number, send: () => Promise<Received>): Promise<Received> {
  for (let attempt = 0; ; attempt++) {
    const received = await send();
    const isOutage = received.kind === "timeout" || received.kind === "unreachable";
    if (!isOutage || attempt === retries) return received;
    await sleep(retryDelayMs(attempt, Math.random()));
  }
}
