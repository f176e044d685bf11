import { idFloorHex } from "../../../domain/ids/ids.js";
import type { DecisionFilter } from "../../../domain/vocabulary/decision-scope.js";
import { HOUR_MS } from "../../../path/writer/copy/rollup-columns.js";

/** The last millisecond that an id can encode. No decision is that late. */
export const END_MS = 2 ** 48 - 1;
const HOUR_MAX = Math.floor(END_MS / HOUR_MS);

/** The ids from `low` up to but not including `high`, in hexadecimal. */
export interface Span {
  low: string;
  high: string;
}

/** The next id after one, in hexadecimal. */
export function nextIdHex(id: string): string {
  return (BigInt(`0x${id}`) + 1n).toString(16).padStart(32, "0");
}

/** The whole hours of an interval, and the ids of the partial hours at its ends. */
export interface HoursBetween {
  /** Hours since 1970. */
  firstHour: number;
  /** Excluded. */
  endHour: number;
  cut: Span[];
}

/** `sinceMs` is included, `untilMs` is not. */
export function hoursBetween(sinceMs: number, untilMs: number): HoursBetween {
  const firstHour = Math.ceil(sinceMs / HOUR_MS);
  const endHour = Math.floor(untilMs / HOUR_MS);
  // An interval within one hour has no whole hour, and only one partial hour.
  if (firstHour > endHour) return { firstHour, endHour: firstHour, cut: [spanOf(sinceMs, untilMs)] };
  const ends = [spanOf(sinceMs, firstHour * HOUR_MS), spanOf(endHour * HOUR_MS, untilMs)];
  return { firstHour, endHour, cut: ends.filter(({ low, high }) => low < high) };
}

/** A span whose rows are counted (1) or subtracted (-1). */
export interface CountedSpan extends Span {
  times: 1 | -1;
}

/** The whole hours to count, and the spans to add to them or to subtract from them. */
export interface NearestHours {
  /** Hours since 1970. */
  firstHour: number;
  /** Excluded. */
  endHour: number;
  cut: CountedSpan[];
}

/**
 * Like `hoursBetween`, but a cut hour is counted by the rows of its shorter part. If that part lies outside the
 * interval, the whole hour is counted less these rows. Rows before `firstReadableMs` are hidden, so an hour with such
 * rows is counted by the wanted ones.
 */
export function nearestHours(sinceMs: number, untilMs: number, firstReadableMs: number): NearestHours {
  const [startHour, afterHour] = [Math.floor(sinceMs / HOUR_MS), Math.ceil(untilMs / HOUR_MS)];
  const before: Part = [startHour * HOUR_MS, sinceMs];
  const after: Part = [untilMs, Math.min(afterHour * HOUR_MS, END_MS)];
  if (afterHour - startHour <= 1) {
    const { isWhole, cut } = cutHour([before, after], [sinceMs, untilMs], firstReadableMs);
    return { firstHour: startHour, endHour: isWhole ? afterHour : startHour, cut };
  }
  const [firstWhole, endWhole] = [Math.ceil(sinceMs / HOUR_MS), Math.floor(untilMs / HOUR_MS)];
  const start = cutHour([before], [sinceMs, firstWhole * HOUR_MS], firstReadableMs);
  const end = cutHour([after], [endWhole * HOUR_MS, untilMs], firstReadableMs);
  return {
    firstHour: start.isWhole ? startHour : firstWhole,
    endHour: end.isWhole ? afterHour : endWhole,
    cut: [...start.cut, ...end.cut],
  };
}

/** Unix milliseconds. The end is excluded. */
type Part = readonly [fromMs: number, toMs: number];

/** Decides how to count the `wanted` part of an hour. `rest` is what remains of the hour. */
function cutHour(
  rest: readonly Part[],
  wanted: Part,
  firstReadableMs: number,
): { isWhole: boolean; cut: CountedSpan[] } {
  const present = rest.filter(([fromMs, toMs]) => fromMs < toMs);
  const restMs = present.reduce((sum, [fromMs, toMs]) => sum + toMs - fromMs, 0);
  // RET-5: the whole hour would also count hidden rows of the wanted part.
  const isReadable = [wanted, ...present].every(([fromMs]) => fromMs >= firstReadableMs);
  const isWhole = isReadable && restMs < wanted[1] - wanted[0];
  const counted = isWhole ? present : [wanted].filter(([fromMs, toMs]) => fromMs < toMs);
  const times = isWhole ? -1 : 1;
  return { isWhole, cut: counted.map(([fromMs, toMs]) => ({ ...spanOf(fromMs, toMs), times })) };
}

export function spanOf(sinceMs: number, untilMs: number): Span {
  return { low: idFloorHex(sinceMs), high: idFloorHex(untilMs) };
}

/** The hour at which the search for a filter's newest decisions begins. */
export function newestHourOf({ untilMs }: Pick<DecisionFilter, "untilMs">): number {
  return untilMs === null ? HOUR_MAX : Math.floor((untilMs - 1) / HOUR_MS);
}

export type Direction = "older" | "newer";

export interface HourCount {
  /** Hours since 1970. */
  hour: number;
  decisions: number;
}

export interface HourCounts {
  /** The hours with at least one decision, in the requested direction. */
  hours: HourCount[];
  /** The hour from which to continue, or null at the end. */
  next: number | null;
}
