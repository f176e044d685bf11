import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatRate } from "../../design/base/format.js";
import { isoIn } from "../../design/base/zone-time.js";
import { chosenZone } from "../../design/base/zone.js";

type Interval = AnalyticsSummary["series_interval"];

/** Describes the chart in words: its first, last and lowest rate. */
export function trendText(
  rates: readonly (number | null)[],
  steps: readonly string[],
  interval: Interval,
): string {
  const known = rates.flatMap((rate, at) => (rate === null ? [] : [{ rate, at }]));
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined) return "No outcome was reported";
  const nameOf = ({ at }: { at: number }): string => stepName(steps[at] ?? "", interval);
  if (first === last) return `Approval ${formatRate(first.rate)} in ${nameOf(first)}`;
  const lowest = known.reduce((least, one) => (one.rate < least.rate ? one : least));
  return `Approval by ${interval}: ${formatRate(first.rate)} in ${nameOf(first)}, ${formatRate(last.rate)} in ${nameOf(last)}, lowest ${formatRate(lowest.rate)} in ${nameOf(lowest)}`;
}

const NAME_CHARS = { hour: 16, day: 10, month: 7 } as const;
const OFFSET_AT = "2026-11-27T14:00:00.000".length;

/**
 * Formats the start of a step in ISO 8601 and the chosen zone, to the precision of the step. An hour has its offset,
 * because a clock change repeats an hour.
 */
function stepName(start: string, interval: Interval): string {
  const text = isoIn(Date.parse(start), chosenZone());
  return text.slice(0, NAME_CHARS[interval]) + (interval === "hour" ? text.slice(OFFSET_AT) : "");
}
