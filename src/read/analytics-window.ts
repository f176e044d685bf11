import { HOUR_MS } from "../persistence/rollup-columns.js";

/** spec GET /v1/decisions `range`. */
export const RANGES = ["24h", "7d", "30d", "90d", "all"] as const;
export type Range = (typeof RANGES)[number];

const HOURS_PER_DAY = 24;

/** In hours: how far back a range goes, and what its time series steps by. */
const STEPS = {
  "24h": { interval: "hour", hours: 24, hoursPerStep: 1 },
  "7d": { interval: "day", hours: 7 * HOURS_PER_DAY, hoursPerStep: HOURS_PER_DAY },
  "30d": { interval: "day", hours: 30 * HOURS_PER_DAY, hoursPerStep: HOURS_PER_DAY },
  "90d": { interval: "day", hours: 90 * HOURS_PER_DAY, hoursPerStep: HOURS_PER_DAY },
} as const;

/** A range in whole steps: it begins with the hour or day (UTC) in which it would begin. */
export interface SteppedWindow {
  interval: "hour" | "day";
  hoursPerStep: number;
  /** Hours since 1970. */
  sinceHour: number;
  firstStep: number;
  /** The one that `nowMs` is in. */
  lastStep: number;
}

/** `nowMs`: Unix milliseconds. */
export function steppedWindow(range: Exclude<Range, "all">, nowMs: number): SteppedWindow {
  const { interval, hours, hoursPerStep } = STEPS[range];
  const nowHour = Math.floor(nowMs / HOUR_MS);
  const firstStep = Math.floor((nowHour - hours) / hoursPerStep);
  return {
    interval,
    hoursPerStep,
    sinceHour: firstStep * hoursPerStep,
    firstStep,
    lastStep: Math.floor(nowHour / hoursPerStep),
  };
}
