import { HOUR_MS } from "../../path/writer/copy/rollup-columns.js";
import { rangeStartMs, type BoundedRange } from "../../domain/vocabulary/range.js";

const DAY_HOURS = 24;

/** The step of each range's time series, in hours. */
const STEPS = {
  "24h": { interval: "hour", hoursPerStep: 1 },
  "7d": { interval: "day", hoursPerStep: DAY_HOURS },
  "30d": { interval: "day", hoursPerStep: DAY_HOURS },
  "90d": { interval: "day", hoursPerStep: DAY_HOURS },
} as const;

/**
 * A range and the steps of its time series. A step is a whole hour or day (UTC). The range may begin and end within
 * one.
 */
export interface SteppedWindow {
  interval: "hour" | "day";
  hoursPerStep: number;
  /** Unix milliseconds, inclusive. */
  sinceMs: number;
  /** The step that holds `sinceMs`, counted since 1970. */
  firstStep: number;
  /** The step that holds `nowMs`. */
  lastStep: number;
}

/** `nowMs` is in Unix milliseconds. */
export function steppedWindow(range: BoundedRange, nowMs: number): SteppedWindow {
  const { interval, hoursPerStep } = STEPS[range];
  const stepOf = (timeMs: number): number => Math.floor(timeMs / (hoursPerStep * HOUR_MS));
  const sinceMs = rangeStartMs(range, nowMs);
  return { interval, hoursPerStep, sinceMs, firstStep: stepOf(sinceMs), lastStep: stepOf(nowMs) };
}
