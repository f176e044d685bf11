import type { AnalyticsSummary } from "../api/wire-types.js";
import { formatMinute } from "../design/base/format.js";
import { zoneName } from "../design/base/zone.js";

/**
 * DASH-47: names the zone in which the days or months of a series begin, such as `days of Asia/Kolkata, from 00:30
 * on`. The service counts whole UTC hours, so in some zones a day does not begin at midnight. Undefined for hours, and
 * without a summary.
 */
export function stepNote(summary: AnalyticsSummary | undefined): string | undefined {
  if (summary === undefined || summary.series_interval === "hour") return undefined;
  const start = summary.series.at(-1)?.start;
  const begins = start === undefined ? "00:00" : formatMinute(new Date(start));
  const of = `${summary.series_interval}s of ${zoneName()}`;
  return begins.endsWith(":00") ? of : `${of}, from ${begins} on`;
}
