import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatDay, formatMinute, formatMonth } from "../../design/base/format.js";

const STEP_TEXTS = {
  hour: (date: Date) => `${formatDay(date)}, ${formatMinute(date)}`,
  day: formatDay,
  month: formatMonth,
} as const satisfies Record<AnalyticsSummary["series_interval"], (date: Date) => string>;

/** Names a step of the series by its start in the chosen zone. The service counts days and months in the same zone. */
export function stepText(interval: AnalyticsSummary["series_interval"], start: string): string {
  return STEP_TEXTS[interval](new Date(start));
}
