import { TUNING } from "../../domain/vocabulary/tuning.js";
import { createMinuteTable } from "./minute-table.js";

/**
 * This node's own rate window (RATE-2). It is keyed by principal and current minute, and all endpoints share it. The
 * counts of a past minute are dropped together, so memory holds the principals of at most one minute.
 */
export function createFixedWindow(limitPerMinute: number) {
  const countsAt = createMinuteTable<number>();
  return {
    limitPerMinute,
    /** Counts one request. False if it exceeds the limit. The limit 0 turns the window off. */
    take(principal: string, nowMs: number): boolean {
      if (limitPerMinute === 0) return true;
      const counts = countsAt(nowMs);
      const count = (counts.get(principal) ?? 0) + 1;
      if (count > limitPerMinute) return false;
      // RATE-7: the limiter fails open instead of growing without a bound.
      if (count === 1 && counts.size >= TUNING.rateWindowEntriesMax) return true;
      counts.set(principal, count);
      return true;
    },
  };
}
