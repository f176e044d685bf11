import { monotonicMs } from "../timing/clock.js";
import { within } from "../timing/within.js";

export interface BoundedWorkOptions {
  /** False if PostgreSQL is known to be away. `unavailable` is then the answer at once. */
  isReachable(): boolean;
  /** DUR-5: requests are answered within 2 s, even while PostgreSQL is frozen. */
  timeoutMs: number;
  /**
   * Called for at most one error a second, because writing a stack delays decisions. `suppressedCount` is the number of
   * errors since the previous call.
   */
  onError(error: unknown, suppressedCount: number): void;
}

const REPORT_INTERVAL_MS = 1000;

/**
 * Runs work on PostgreSQL. Resolves to `unavailable` if the work fails or takes too long. A write that took too long
 * may still be committed, but then completely.
 */
export type BoundedWork = <T>(work: () => Promise<T>) => Promise<T | "unavailable">;

export function createBoundedWork({ isReachable, timeoutMs, onError }: BoundedWorkOptions): BoundedWork {
  let lastReportedAtMs = -Infinity;
  let suppressedCount = 0;
  const report = (error: unknown): void => {
    const nowMs = monotonicMs();
    if (nowMs - lastReportedAtMs < REPORT_INTERVAL_MS) {
      suppressedCount++;
      return;
    }
    onError(error, suppressedCount);
    lastReportedAtMs = nowMs;
    suppressedCount = 0;
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
