import { DAY_HOURS, startHourOf, type Level } from "../../../path/writer/copy/facet-periods.js";
import { HOUR_MS } from "../../../path/writer/copy/rollup-columns.js";
import { monthOf } from "../../../domain/vocabulary/month.js";
import { wallTime, type WallTime } from "./zone-clock.js";

/** Splits hours since 1970 (UTC) into the steps of a series. A step is named by its first hour. */
export interface StepCalendar {
  /** The first hour of the step that holds an hour. */
  stepOf(hour: number): number;
  /** The first hour of the next step. */
  nextOf(step: number): number;
}

export const UTC = "UTC";

/**
 * ANA-14, ANA-15: hours, or the days or months of a zone. Decisions are counted by hours of UTC, and each belongs to the
 * day in which it begins. So a day begins with its first such hour, which is midnight where the offset is a whole hour.
 */
export function stepCalendar(level: Level, zone: string): StepCalendar {
  if (level === "hour") return { stepOf: (hour) => hour, nextOf: (hour) => hour + 1 };
  return zone === UTC ? utcCalendar(level) : zoneCalendar(level, zone);
}

function utcCalendar(level: Exclude<Level, "hour">): StepCalendar {
  if (level === "day") {
    return {
      stepOf: (hour) => Math.floor(hour / DAY_HOURS) * DAY_HOURS,
      nextOf: (hour) => hour + DAY_HOURS,
    };
  }
  const monthAt = (hour: number, after: number): number =>
    startHourOf({ level, number: monthOf(hour * HOUR_MS) + after });
  return { stepOf: (hour) => monthAt(hour, 0), nextOf: (hour) => monthAt(hour, 1) };
}

/** A clock is seldom set by more. */
const SHIFT_HOURS = 3;
/** Nor ever by more than this: a zone that changes sides of the date line skips a day, or has it twice. */
const SHIFT_HOURS_MAX = 27;

function zoneCalendar(level: Exclude<Level, "hour">, zone: string): StepCalendar {
  const at = (hour: number): WallTime => wallTime(hour * HOUR_MS, zone);
  const keyOf = ({ year, month, day }: WallTime): number =>
    (year * 12 + month) * 32 + (level === "day" ? day : 0);
  /** The first hour from `hour` on whose step is not before `key`. */
  const firstFrom = (hour: number, key: number): number => {
    let first = hour;
    while (keyOf(at(first)) < key) first++;
    return first;
  };
  const hoursOf = ({ day, hour }: WallTime): number => (level === "day" ? 0 : (day - 1) * DAY_HOURS) + hour;
  const steps = new Map<number, number>();
  const nexts = new Map<number, number>();
  const nextOf = (step: number): number => {
    let next = nexts.get(step);
    if (next === undefined) {
      const wall = at(step);
      const days = level === "day" ? 1 : new Date(Date.UTC(wall.year, wall.month, 0)).getUTCDate();
      const likely = step + days * DAY_HOURS - hoursOf(wall) - SHIFT_HOURS;
      const isSame = keyOf(at(likely)) === keyOf(wall);
      next = firstFrom((isSame ? likely : step) + 1, keyOf(wall) + 1);
      nexts.set(step, next);
    }
    return next;
  };
  return {
    stepOf(hour) {
      let step = steps.get(hour);
      if (step === undefined) {
        const wall = at(hour);
        const began = hour - hoursOf(wall);
        const isBefore = keyOf(at(began - SHIFT_HOURS)) < keyOf(wall);
        step = firstFrom(began - (isBefore ? SHIFT_HOURS : SHIFT_HOURS_MAX), keyOf(wall));
        // Most hours that are asked for lie in the same few steps.
        for (let known = step; known < nextOf(step); known++) steps.set(known, step);
      }
      return step;
    },
    nextOf,
  };
}

/** The steps from the one of `firstHour` to the one of `lastHour`. */
export function stepsBetween(
  { stepOf, nextOf }: StepCalendar,
  firstHour: number,
  lastHour: number,
): number[] {
  const steps: number[] = [];
  for (let step = stepOf(firstHour); step <= lastHour; step = nextOf(step)) steps.push(step);
  return steps;
}

/** The hours of a period of UTC that belong to another step than its middle does. */
export function strayHours(
  { stepOf, nextOf }: StepCalendar,
  [first, end]: readonly [number, number],
): number[] {
  const main = stepOf(Math.floor((first + end) / 2));
  const stray: number[] = [];
  for (let hour = first; hour < Math.min(main, end); hour++) stray.push(hour);
  for (let hour = Math.max(nextOf(main), first); hour < end; hour++) stray.push(hour);
  return stray;
}
