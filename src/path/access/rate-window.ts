import { TUNING } from "../../domain/vocabulary/tuning.js";

/** RATE-2: counts requests by principal in fixed windows of one minute. */
export interface RateWindow {
  limitPerMinute: number;
  /**
   * Counts one request. Returns false if it exceeds the limit. A window that several nodes share returns a Promise. A
   * node's own window returns a boolean.
   */
  take(principal: string, nowMs: number): boolean | Promise<boolean>;
}

const MINUTE_MS = 60_000;

/**
 * Returns the table for the current minute of the wall clock. Each minute gets a new table, because V8 retains the
 * former entries of a long-lived table (docs/decisions/0012-no-long-lived-hash-tables.md).
 */
export function createMinuteTable<Value>(): (nowMs: number) => Map<string, Value> {
  let minute = 0;
  let table = new Map<string, Value>();
  return (nowMs) => {
    const current = Math.floor(nowMs / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      table = new Map();
    }
    return table;
  };
}

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
