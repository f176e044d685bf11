import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatDay, formatMinute, formatUtcDay, formatUtcMonth } from "../../design/base/format.js";

const STEP_TEXTS = {
  hour: (date: Date) => `${formatDay(date)}, ${formatMinute(date)}`,
  day: formatUtcDay,
  month: formatUtcMonth,
} as const satisfies Record<AnalyticsSummary["series_interval"], (date: Date) => string>;

/** Names a step of the series: an hour by its start in the chosen zone, a day or month by its name in UTC. */
export function stepText(interval: AnalyticsSummary["series_interval"], start: string): string {
  return STEP_TEXTS[interval](new Date(start));
}
