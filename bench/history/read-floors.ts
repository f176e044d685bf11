import type { FloorResult } from "../harness/floor-result.js";

export const MILLION = 1_000_000;

/** The p95 that a read may take, as a multiple of a bare look-up of one row, in one run on one database. */
export interface ReadFloor {
  timesMax: number;
  /**
   * If absent, the floor holds for a million rows. A smaller history is shown and not judged. A larger one may take
   * twice the multiple measured at a million rows.
   */
  atAnySize?: true;
}

/** BENCHMARKS.md explains how these floors follow from the promises of 10, 30 and 100 ms. */
export const READ_FLOORS = {
  page: { timesMax: 20 },
  offsetPage: { timesMax: 60 },
  groups: { timesMax: 200 },
  aggregate: { timesMax: 30, atAnySize: true },
  shadowReport: { timesMax: 200 },
} as const satisfies Record<string, ReadFloor>;

/**
 * Null when the floor does not apply to that size. `timesAtMillion` comes from the same run. It is undefined if the run
 * had no such size.
 */
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
