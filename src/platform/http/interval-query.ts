import { isBoundedRange, rangeStartMs } from "../../domain/vocabulary/range.js";
import type { Query } from "./query.js";

/** An interval of time in Unix milliseconds. A side that is null is open. */
export interface Interval {
  /** The first moment of the interval. */
  sinceMs: number | null;
  /** The first moment after the interval. */
  untilMs: number | null;
}

/** LOG-4, LOG-20: reads `range`, or else `from` and `to`. Errors are added to `query.issues`. */
export function readInterval(query: Query, nowMs: number): Interval {
  const range = query.text("range");
  const isGiven = query.has("from") || query.has("to");
  if (range !== null && isGiven) query.refuse("range", "custom", "Must not be combined with from or to");
  if (isGiven) return readMoments(query);
  // LOG-4: any other value of `range` means the whole history.
  return { sinceMs: isBoundedRange(range) ? rangeStartMs(range, nowMs) : null, untilMs: null };
}

/** Reads `from` and `to`. */
export function readMoments(query: Query): Interval {
  const sinceMs = query.timestamp("from");
  const untilMs = query.timestamp("to");
  if (sinceMs !== null && untilMs !== null && untilMs <= sinceMs) {
    query.refuse("to", "custom", "Must be after from");
  }
  return { sinceMs: withinIds(sinceMs), untilMs: withinIds(untilMs) };
}

/** Ids begin in 1970, so an earlier time becomes 0. */
function withinIds(timeMs: number | null): number | null {
  return timeMs === null ? null : Math.max(0, timeMs);
}
