import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatRate } from "../../design/base/format.js";

type Interval = AnalyticsSummary["series_interval"];

/** The chart in words: its ends and its lowest point. Days and months are UTC, and hours are named by their number. */
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

/** ISO 8601 up to the step's unit, which is unambiguous: `2026-11-27T14:00 UTC`. */
function stepName(start: string, interval: Interval): string {
  return `${start.slice(0, NAME_CHARS[interval])} UTC`;
}
