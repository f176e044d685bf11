import { type Tree, childOf, childrenOf, requiredChild, valuesOf } from "../grammar/sentence-grammar.js";
import type { Condition } from "../grammar/syntax.js";
import type { Conditions } from "../../../../domain/policy/policy.js";

const HOURS = 24;

const keys = (when: Conditions): Condition => ({ kind: "keys", when });
const UNZONED: Condition = { kind: "refused", code: "time_without_zone" };

/** Reads a `HourTest` or `HourRange`. The first hour is included and the second is not. */
export function readHours(tree: Tree): Condition {
  const form = tree.children[0] as Tree;
  switch (form.rule) {
    case "HourTest_range":
      return readHours(requiredChild(form, "HourRange"));
    case "HourRange_zoned":
    case "HourRange_zonedbetween": {
      const [from, to] = childrenOf(form, "Clock").map(readClock) as [number | Condition, number | Condition];
      if (typeof from !== "number") return from;
      return typeof to === "number" ? hourSpan(from, to) : to;
    }
    case "HourTest_before": {
      const hour = readClock(requiredChild(form, "Clock"));
      return typeof hour === "number" ? hourSpan(0, hour) : hour;
    }
    case "HourTest_after": {
      const hour = readClock(requiredChild(form, "Clock"));
      return typeof hour === "number" ? hourSpan(hour, HOURS) : hour;
    }
    default:
      return UNZONED;
  }
}

function hourSpan(from: number, to: number): Condition {
  const start = from === 0 ? null : { hour_utc_gte: from };
  const stop = to === HOURS || to === 0 ? null : { hour_utc_lt: to };
  if (from === to || from === HOURS || (start === null && stop === null)) {
    return { kind: "refused", code: "number_out_of_range" };
  }
  if (from < to || stop === null) return keys({ ...start, ...stop });
  // The span crosses midnight.
  return { kind: "any", of: [start, stop].filter((part) => part !== null).map(keys) };
}

const CLOCK = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/;

function readClock(clock: Tree): number | Condition {
  const [, hourText, minutes, half] = CLOCK.exec(valuesOf(clock)[0] as string) ?? [];
  if (hourText === undefined) return { kind: "refused", code: "number_out_of_range" };
  if (minutes !== undefined && minutes !== "00") return { kind: "refused", code: "time_not_whole_hour" };
  const hour = Number(hourText);
  if (half === undefined) return hour <= HOURS ? hour : { kind: "refused", code: "number_out_of_range" };
  if (hour < 1 || hour > 12) return { kind: "refused", code: "number_out_of_range" };
  return (hour % 12) + (half === "pm" ? 12 : 0);
}

/** Reads a `DayPhrase` or `DayRange`. 1 is Monday. */
export function readDays(tree: Tree): Condition {
  const range = tree.rule === "DayRange" ? tree : childOf(tree, "DayRange");
  if (range !== undefined) {
    const [from, to] = valuesOf(range).map(Number) as [number, number];
    if (from <= to) return keys({ weekday_utc_gte: from, weekday_utc_lte: to });
    return { kind: "any", of: [keys({ weekday_utc_gte: from }), keys({ weekday_utc_lte: to })] };
  }
  const list = childOf(tree, "DayList");
  if (list === undefined) {
    return keys(childOf(tree, "weekend") ? { weekday_utc_gte: 6 } : { weekday_utc_lte: 5 });
  }
  const days = [...new Set(valuesOf(list).map(Number))].toSorted((a, b) => a - b);
  const first = days[0] as number;
  const last = days.at(-1) as number;
  if (last - first === days.length - 1) return keys({ weekday_utc_gte: first, weekday_utc_lte: last });
  return { kind: "any", of: days.map((day) => keys({ weekday_utc_gte: day, weekday_utc_lte: day })) };
}
