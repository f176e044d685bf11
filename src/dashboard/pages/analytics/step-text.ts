import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatDay, formatMinute, formatUtcDay, formatUtcMonth } from "../../design/base/format.js";

const STEP_TEXTS = {
  hour: (date: Date) => `${formatDay(date)}, ${formatMinute(date)}`,
  day: formatUtcDay,
  month: formatUtcMonth,
} as const satisfies Record<AnalyticsSummary["series_interval"], (date: Date) => string>;

/** What a step of the series is called: an hour by when it begins, a day or month of UTC by its name there. */
export function stepText(interval: AnalyticsSummary["series_interval"], start: string): string {
  return STEP_TEXTS[interval](new Date(start));
}
