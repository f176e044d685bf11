import { DAY_HOURS, LEVELS, monthOfHour, startHourOf, type Level, type PeriodRun } from "./facet-periods.js";

/** A run whose periods are counted `times` times. A negative number subtracts them. */
export interface CountedRun extends PeriodRun {
  times: number;
}

/** A run of several covers. `times` has a number for each cover. */
export interface SharedRun extends PeriodRun {
  times: number[];
}

/**
 * Covers the hours from `firstHour` to just before `endHour` with the fewest periods. A part of a longer period may be
 * counted as the whole period less its rest. So each end needs half a day of hours and half a month of days at most.
 */
export function fewestRuns(firstHour: number, endHour: number): CountedRun[] {
  let fewest: CountedRun[] = [];
  let periods = Number.POSITIVE_INFINITY;
  for (const first of boundariesNear(firstHour)) {
    for (const end of boundariesNear(endHour)) {
      const cover = shareRuns([
        [
          signedRun("month", first.month, end.month),
          signedRun("day", startDayOf(end.month), end.day),
          signedRun("hour", end.day * DAY_HOURS, endHour),
          signedRun("day", first.day, startDayOf(first.month)),
          signedRun("hour", firstHour, first.day * DAY_HOURS),
        ],
      ]).map(({ times: [times], ...run }) => ({ ...run, times: times as number }));
      const length = cover.reduce((sum, run) => sum + run.end - run.first, 0);
      if (length < periods) [fewest, periods] = [cover, length];
    }
  }
  return fewest;
}

/** The days and months that begin before and after an hour. */
function boundariesNear(hour: number): { day: number; month: number }[] {
  const days = [Math.floor(hour / DAY_HOURS), Math.ceil(hour / DAY_HOURS)];
  return days.flatMap((day) => {
    const month = monthOfHour(day * DAY_HOURS);
    return [month, month + 1].map((near) => ({ day, month: near }));
  });
}

function startDayOf(month: number): number {
  return startHourOf({ level: "month", number: month }) / DAY_HOURS;
}

/** The periods between two boundaries. They are subtracted if the second boundary comes first. */
function signedRun(level: Level, from: number, to: number): CountedRun {
  return from <= to ? { level, first: from, end: to, times: 1 } : { level, first: to, end: from, times: -1 };
}

/** Joins several covers into runs that do not overlap, so that a period of more than one cover is read once. */
export function shareRuns(covers: readonly (readonly CountedRun[])[]): SharedRun[] {
  return LEVELS.flatMap((level) => {
    /** How much the covers' numbers change at each boundary. */
    const changes = new Map<number, number[]>();
    const change = (boundary: number, cover: number, times: number): void => {
      const ofCovers = changes.get(boundary) ?? covers.map(() => 0);
      ofCovers[cover] = (ofCovers[cover] as number) + times;
      changes.set(boundary, ofCovers);
    };
    for (const [at, cover] of covers.entries()) {
      for (const run of cover) {
        if (run.level !== level) continue;
        change(run.first, at, run.times);
        change(run.end, at, -run.times);
      }
    }
    const times = covers.map(() => 0);
    const boundaries = [...changes.keys()].toSorted((a, b) => a - b);
    return boundaries.flatMap((first, position): SharedRun[] => {
      for (const [at, number] of (changes.get(first) as number[]).entries())
        times[at] = (times[at] as number) + number;
      return times.some((number) => number !== 0)
        ? [{ level, first, end: boundaries[position + 1] as number, times: [...times] }]
        : [];
    });
  });
}
