import type { FloorResult } from "../harness/floor-result.js";

export const MILLION = 1_000_000;

/** How many times as long as a bare look-up of one row a read may take, p95 each, in one run on one database. */
export interface ReadFloor {
  timesMax: number;
  /** Without it the floor is that of a million rows: a smaller history is only shown, ten times as much may take twice. */
  atAnySize?: true;
}

/** BENCHMARKS.md says how these follow from the promises of 10, 30 and 100 ms. */
export const READ_FLOORS = {
  page: { timesMax: 20 },
  offsetPage: { timesMax: 60 },
  aggregate: { timesMax: 30, atAnySize: true },
  shadowReport: { timesMax: 200 },
} as const satisfies Record<string, ReadFloor>;

/** Null where nothing is promised of that size. `timesAtMillion` is of the same run; undefined where it had none. */
export function readFloor(
  name: string,
  { timesMax, atAnySize }: ReadFloor,
  size: number,
  times: number,
  timesAtMillion: number | undefined,
): FloorResult | null {
  if (size < MILLION && !atAnySize) return null;
  const limit =
    size > MILLION && timesAtMillion !== undefined && !atAnySize
      ? Math.max(timesMax, 2 * timesAtMillion)
      : timesMax;
  return {
    passed: times <= limit,
    line: `${name} at ${size} takes ${times.toFixed(1)} times a bare look-up, at most ${Number(limit.toFixed(1))}`,
  };
}
