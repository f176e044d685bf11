/** LOG-4: GET /v1/decisions `range`. */
export const RANGES = ["24h", "7d", "30d", "90d", "all"] as const;
export type Range = (typeof RANGES)[number];
/** A range that begins somewhere. */
export type BoundedRange = Exclude<Range, "all">;

const DAY_MS = 86_400_000;

const RANGE_DAYS = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 } as const satisfies Record<
  BoundedRange,
  number
>;

/** LOG-5: a range is so many hours back from now, everywhere. Unix milliseconds, included in the range. */
export function rangeStartMs(range: BoundedRange, nowMs: number): number {
  return daysStartMs(RANGE_DAYS[range], nowMs);
}

/** The same of a number of days: of 24 hours each, whatever the hour is now. */
export function daysStartMs(days: number, nowMs: number): number {
  return nowMs - days * DAY_MS;
}

export function isBoundedRange(text: string | null): text is BoundedRange {
  return text !== null && Object.hasOwn(RANGE_DAYS, text);
}
