import { HOUR_MS } from "../../path/writer/copy/rollup-columns.js";
import { rangeStartMs, type BoundedRange } from "../../domain/vocabulary/range.js";
import { stepCalendar, stepsBetween } from "./steps/step-calendar.js";

/** The step of each range's time series. */
const STEPS = { "24h": "hour", "7d": "day", "30d": "day", "90d": "day" } as const;

/** A range and the steps of its time series. The range may begin and end in the middle of a step. */
export interface SteppedWindow {
  interval: "hour" | "day";
  /** Unix milliseconds, inclusive. */
  sinceMs: number;
  /** The first hour of each step, in hours since 1970. `sinceMs` lies in the first step, and `nowMs` in the last. */
  steps: number[];
}

/** `nowMs` is in Unix milliseconds. ANA-14: a step is a whole hour, or a whole day of `zone`. */
export function steppedWindow(range: BoundedRange, zone: string, nowMs: number): SteppedWindow {
  const interval = STEPS[range];
  const sinceMs = rangeStartMs(range, nowMs);
  const hourOf = (timeMs: number): number => Math.floor(timeMs / HOUR_MS);
  const steps = stepsBetween(stepCalendar(interval, zone), hourOf(sinceMs), hourOf(nowMs));
  return { interval, sinceMs, steps };
}
