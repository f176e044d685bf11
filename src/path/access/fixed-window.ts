import { TUNING } from "../../domain/vocabulary/tuning.js";
import { createMinuteTable } from "./minute-table.js";

/**
 * This node's own rate window (RATE-2). It counts by principal in the current minute, over all endpoints. The counts of
 * a past minute are dropped together, so memory has the principals of at most one minute.
 */
export function createFixedWindow(limitPerMinute: number) {
  const countsAt = createMinuteTable<number>();
  return {
    limitPerMinute,
    /** Counts one request. False if it exceeds the limit. A limit of 0 means no limit. */
    take(principal: string, nowMs: number): boolean {
      if (limitPerMinute === 0) return true;
      const counts = countsAt(nowMs);
      const count = (counts.get(principal) ?? 0) + 1;
      if (count > limitPerMinute) return false;
      // RATE-7: above the memory limit, requests of new principals pass uncounted.
      if (count === 1 && counts.size >= TUNING.rateWindowEntriesMax) return true;
      counts.set(principal, count);
      return true;
    },
  };
}
