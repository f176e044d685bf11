import { isBoundedRange, rangeStartMs } from "../../domain/vocabulary/range.js";
import type { Query } from "./query.js";

/** An interval of time in Unix milliseconds. Null is open. */
export interface Interval {
  /** Included. */
  sinceMs: number | null;
  /** Excluded. */
  untilMs: number | null;
}

/** LOG-4, LOG-20: reads `range`, or `from` and `to` instead. Errors are added to `query.issues`. */
export function readInterval(query: Query, nowMs: number): Interval {
  const range = query.text("range");
  const isGiven = query.has("from") || query.has("to");
  if (range !== null && isGiven) query.refuse("range", "custom", "Must not be combined with from or to");
  if (isGiven) return readMoments(query);
  // LOG-4: any other value means all of history.
  return { sinceMs: isBoundedRange(range) ? rangeStartMs(range, nowMs) : null, untilMs: null };
}

/** Reads `from` and `to` if there is no `range`. */
export function readMoments(query: Query): Interval {
  const sinceMs = query.timestamp("from");
  const untilMs = query.timestamp("to");
  if (sinceMs !== null && untilMs !== null && untilMs <= sinceMs) {
    query.refuse("to", "custom", "Must be after from");
  }
  return { sinceMs: withinIds(sinceMs), untilMs: withinIds(untilMs) };
}

/** No id is older than 1970. */
function withinIds(timeMs: number | null): number | null {
  return timeMs === null ? null : Math.max(0, timeMs);
}
