import { monotonicMs } from "../timing/clock.js";
import { within } from "../timing/within.js";

export interface BoundedWorkOptions {
  /** False while PostgreSQL is known to be away. The answer then comes at once. */
  isReachable(): boolean;
  /** DUR-5: an answer comes within 2 s, even while PostgreSQL is frozen. */
  timeoutMs: number;
  /**
   * Called for at most one error a second, because writing a stack delays decisions. `suppressedCount` is the number of
   * errors since the previous call.
   */
  onError(error: unknown, suppressedCount: number): void;
}

const REPORT_INTERVAL_MS = 1000;

/**
 * Runs work on PostgreSQL. Resolves to `unavailable` if it fails or is late. A late write may still be carried out, and
 * then it is whole.
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
