import { TUNING } from "../../domain/vocabulary/tuning.js";
import { createMinuteTable } from "./minute-table.js";

/**
 * This node's own window: RATE-2, keyed by principal and current minute; all endpoints share it.
 * Counts of a past minute are dropped together, so memory holds one minute's principals at most.
 */
export function createFixedWindow(limitPerMinute: number) {
  const countsAt = createMinuteTable<number>();
  return {
    limitPerMinute,
    /** Counts one request; false when it is over the limit. A limit of 0 turns the window off. */
    take(principal: string, nowMs: number): boolean {
      if (limitPerMinute === 0) return true;
      const counts = countsAt(nowMs);
      const count = (counts.get(principal) ?? 0) + 1;
      if (count > limitPerMinute) return false;
      // RATE-7: the limiter fails open, rather than growing without a bound.
      if (count === 1 && counts.size >= TUNING.rateWindowEntriesMax) return true;
      counts.set(principal, count);
      return true;
    },
  };
}
