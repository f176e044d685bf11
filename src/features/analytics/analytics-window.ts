import { HOUR_MS } from "../../path/writer/copy/rollup-columns.js";
import { rangeStartMs, type BoundedRange } from "../../domain/vocabulary/range.js";

const DAY_HOURS = 24;

/** What a range's time series steps by, in hours. */
const STEPS = {
  "24h": { interval: "hour", hoursPerStep: 1 },
  "7d": { interval: "day", hoursPerStep: DAY_HOURS },
  "30d": { interval: "day", hoursPerStep: DAY_HOURS },
  "90d": { interval: "day", hoursPerStep: DAY_HOURS },
} as const;

/** A range and the steps of its time series, whole hours or days (UTC), of which it begins and ends within one. */
export interface SteppedWindow {
  interval: "hour" | "day";
  hoursPerStep: number;
  /** Unix milliseconds; included. */
  sinceMs: number;
  /** Steps since 1970: the one that `sinceMs` is in. */
  firstStep: number;
  /** The one that `nowMs` is in. */
  lastStep: number;
}

/** `nowMs`: Unix milliseconds. */
export function steppedWindow(range: BoundedRange, nowMs: number): SteppedWindow {
  const { interval, hoursPerStep } = STEPS[range];
  const stepOf = (timeMs: number): number => Math.floor(timeMs / (hoursPerStep * HOUR_MS));
  const sinceMs = rangeStartMs(range, nowMs);
  return { interval, hoursPerStep, sinceMs, firstStep: stepOf(sinceMs), lastStep: stepOf(nowMs) };
}
