import { monotonicMs } from "../timing/clock.js";
import { within } from "../timing/within.js";

export interface BoundedWorkOptions {
  /** False while PostgreSQL is known to be away. The answer then comes at once. */
  isReachable(): boolean;
  /** DUR-5: an answer comes within 2 s, also when PostgreSQL is frozen. */
  timeoutMs: number;
  /**
   * Gets one error a second at most, because writing its stack keeps decisions waiting. `skipped` errors came since
   * the last one.
   */
  onError(error: unknown, skipped: number): void;
}

const REPORT_INTERVAL_MS = 1000;

/**
 * Runs work on PostgreSQL. Resolves to `unavailable` if it fails or is late. A late write may still be carried out, and
 * then it is whole.
 */
export type BoundedWork = <T>(work: () => Promise<T>) => Promise<T | "unavailable">;

export function createBoundedWork({ isReachable, timeoutMs, onError }: BoundedWorkOptions): BoundedWork {
  let reportedAtMs = -Infinity;
  let skipped = 0;
  const report = (error: unknown): void => {
    const nowMs = monotonicMs();
    if (nowMs - reportedAtMs < REPORT_INTERVAL_MS) {
      skipped++;
      return;
    }
    onError(error, skipped);
    reportedAtMs = nowMs;
    skipped = 0;
  };
  return async <T>(work: () => Promise<T>): Promise<T | "unavailable"> => {
    if (!isReachable()) return "unavailable";
    const answer = work().catch((error: unknown) => {
      report(error);
      return "unavailable" as const;
    });
    return within(answer, timeoutMs, "unavailable" as const);
  };
}
