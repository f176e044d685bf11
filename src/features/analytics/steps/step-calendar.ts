import { DAY_HOURS, startHourOf, type Level } from "../../../path/writer/copy/facet-periods.js";
import { HOUR_MS } from "../../../path/writer/copy/rollup-columns.js";
import { monthOf } from "../../../domain/vocabulary/month.js";
import { wallTime, type WallTime } from "./zone-clock.js";

/** Splits hours since 1970 (UTC) into the steps of a series. A step is named by its first hour. */
export interface StepCalendar {
  /** Returns the first hour of the step that contains the hour. */
  stepOf(hour: number): number;
  /** Returns the first hour of the next step. */
  nextOf(step: number): number;
}

export const UTC = "UTC";

/**
 * ANA-14, ANA-15: the steps are hours, or days or months of a zone. Decisions are counted by UTC hours. An hour
 * belongs to the day in which it begins. A day therefore begins with the first UTC hour that starts in it. If the
 * zone's offset is a whole number of hours, that is midnight.
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

/** Clock changes are rarely larger than this. */
const SHIFT_HOURS = 3;
/** No clock change is larger than this. A zone that moves across the date line skips or repeats a day. */
const SHIFT_HOURS_MAX = 27;

function zoneCalendar(level: Exclude<Level, "hour">, zone: string): StepCalendar {
  const at = (hour: number): WallTime => wallTime(hour * HOUR_MS, zone);
  const keyOf = ({ year, month, day }: WallTime): number =>
    (year * 12 + month) * 32 + (level === "day" ? day : 0);
  /** Returns the first hour, at or after `hour`, whose `keyOf` is at least `key`. */
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
        // Most requested hours lie in the same few steps, so all hours of the step are stored.
        for (let known = step; known < nextOf(step); known++) steps.set(known, step);
      }
      return step;
    },
    nextOf,
  };
}

/** Returns all steps from the step of `firstHour` to the step of `lastHour`. */
export function stepsBetween(
  { stepOf, nextOf }: StepCalendar,
  firstHour: number,
  lastHour: number,
): number[] {
  const steps: number[] = [];
  for (let step = stepOf(firstHour); step <= lastHour; step = nextOf(step)) steps.push(step);
  return steps;
}

/** Returns the hours of a UTC period that belong to a different step than the middle of the period. */
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
