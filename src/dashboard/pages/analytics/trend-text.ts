import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatRate } from "../../design/base/format.js";
import { isoIn } from "../../design/base/zone-time.js";
import { chosenZone } from "../../design/base/zone.js";

type Interval = AnalyticsSummary["series_interval"];

/** The chart in words: its ends and its lowest point. */
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

/** ISO 8601 in the chosen zone, as far as the step goes. An hour has its offset, because a clock shows some twice. */
function stepName(start: string, interval: Interval): string {
  const text = isoIn(Date.parse(start), chosenZone());
  return text.slice(0, NAME_CHARS[interval]) + (interval === "hour" ? text.slice(OFFSET_AT) : "");
}
