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
