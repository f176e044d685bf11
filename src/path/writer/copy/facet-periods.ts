import { monthOf, monthStartMs } from "../../../domain/vocabulary/month.js";
import { HOUR_MS } from "./rollup-columns.js";

/** Facet blocks count by hour, day and month (UTC), so that a long interval needs only a few dozen blocks. */
export const LEVELS = ["hour", "day", "month"] as const;
export type Level = (typeof LEVELS)[number];

export interface Period {
  level: Level;
  /** Hours or days since 1970, or months since the year 0. */
  number: number;
}

export const DAY_HOURS = 24;

/** The periods that contain an hour, one for each level. */
export function periodsOf(hour: number): readonly Period[] {
  return [
    { level: "hour", number: hour },
    { level: "day", number: Math.floor(hour / DAY_HOURS) },
    { level: "month", number: monthOfHour(hour) },
  ];
}

export function monthOfHour(hour: number): number {
  return monthOf(hour * HOUR_MS);
}

/** The first hour of a period. */
export function startHourOf({ level, number }: Period): number {
  if (level === "hour") return number;
  return level === "day" ? number * DAY_HOURS : monthStartMs(number) / HOUR_MS;
}

/** Consecutive periods of one level, from `first` to just before `end`. */
export interface PeriodRun {
  level: Level;
  first: number;
  end: number;
}

/**
 * Splits the hours from `firstHour` to just before `endHour` into the fewest runs of whole periods. No period is longer
 * than `longest`.
 */
export function periodRuns(firstHour: number, endHour: number, longest: Level = "month"): PeriodRun[] {
  if (longest === "hour") return presentRuns([{ level: "hour", first: firstHour, end: endHour }]);
  const firstDay = Math.ceil(firstHour / DAY_HOURS);
  const endDay = Math.floor(endHour / DAY_HOURS);
  if (firstDay >= endDay) return presentRuns([{ level: "hour", first: firstHour, end: endHour }]);
  return presentRuns([
    { level: "hour", first: firstHour, end: firstDay * DAY_HOURS },
    ...(longest === "day" ? [{ level: longest, first: firstDay, end: endDay }] : dayRuns(firstDay, endDay)),
    { level: "hour", first: endDay * DAY_HOURS, end: endHour },
  ]);
}

function dayRuns(firstDay: number, endDay: number): PeriodRun[] {
  const dayOf = (number: number): number => startHourOf({ level: "month", number }) / DAY_HOURS;
  const monthOf = (day: number): number => monthOfHour(day * DAY_HOURS);
  const firstMonth = dayOf(monthOf(firstDay)) === firstDay ? monthOf(firstDay) : monthOf(firstDay) + 1;
  const endMonth = monthOf(endDay);
  if (firstMonth >= endMonth) return [{ level: "day", first: firstDay, end: endDay }];
  return [
    { level: "day", first: firstDay, end: dayOf(firstMonth) },
    { level: "month", first: firstMonth, end: endMonth },
    { level: "day", first: dayOf(endMonth), end: endDay },
  ];
}

function presentRuns(runs: readonly PeriodRun[]): PeriodRun[] {
  return runs.filter(({ first, end }) => first < end);
}

/** Joins the hours into as few runs as possible. */
export function hourRuns(hours: Iterable<number>): PeriodRun[] {
  const runs: PeriodRun[] = [];
  for (const hour of [...hours].toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.end === hour) last.end++;
    else runs.push({ level: "hour", first: hour, end: hour + 1 });
  }
  return runs;
}
