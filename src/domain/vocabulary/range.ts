/** LOG-4: GET /v1/decisions `range`. */
export const RANGES = ["24h", "7d", "30d", "90d", "all"] as const;
export type Range = (typeof RANGES)[number];
/** A range with a beginning. */
export type BoundedRange = Exclude<Range, "all">;

const DAY_MS = 86_400_000;

const RANGE_DAYS = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 } as const satisfies Record<
  BoundedRange,
  number
>;

/** LOG-5: the start of a range in Unix milliseconds, a fixed number of hours before now. The start is included. */
export function rangeStartMs(range: BoundedRange, nowMs: number): number {
  return daysStartMs(RANGE_DAYS[range], nowMs);
}

/** The start of the last `days` days, in Unix milliseconds. Each day counts as 24 hours, regardless of midnight. */
export function daysStartMs(days: number, nowMs: number): number {
  return nowMs - days * DAY_MS;
}

export function isBoundedRange(text: string | null): text is BoundedRange {
  return text !== null && Object.hasOwn(RANGE_DAYS, text);
}
