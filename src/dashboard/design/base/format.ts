import { CURRENCY_EXPONENTS } from "../../../domain/vocabulary/currencies.js";
import { chosenZone, zoneName } from "./zone.js";
import { dayIn, isoIn } from "./zone-time.js";

/** Formats figures in the language of the browser, and times in the chosen zone (DASH-28). */

const INTEGER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(undefined, {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "always", style: "narrow" });
const TIME = formatterOf({ dateStyle: "medium", timeStyle: "medium" });

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** Shown in place of a figure that would be a division by zero. */
const NOTHING = "–";

export function formatCount(count: number): string {
  return count < 100_000 ? INTEGER.format(count) : COMPACT.format(count);
}

/** `fraction` is from 0 to 1. */
export function formatRate(fraction: number | null): string {
  return fraction === null ? NOTHING : PERCENT.format(fraction);
}

const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** Formats as `12 kB`, with one decimal below 10. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: BYTE_UNITS[step] ?? "byte",
    maximumFractionDigits: step > 0 && value < 10 ? 1 : 0,
  }).format(value);
}

const POINTS = new Intl.NumberFormat(undefined, {
  signDisplay: "exceptZero",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** A difference of rates, in percentage points. */
export function formatPoints(points: number): string {
  return POINTS.format(points);
}

export function formatPerSecond(perSecond: number): string {
  if (perSecond >= 10 || Number.isInteger(perSecond)) return formatCount(perSecond);
  return perSecond.toFixed(1);
}

/** Formats with two decimals below 10 ms and one above. */
export function formatLatency(latencyMs: number | null): string {
  return latencyMs === null ? NOTHING : `${latencyMs.toFixed(latencyMs < 10 ? 2 : 1)} ms`;
}

/**
 * FMT-13: formats minor units in the currency's own notation. The number of decimals comes from the service's table of
 * ISO 4217. A browser's locale data has the decimals of cash, so it would show HUF without any. An amount whose
 * currency is not in the table stays in minor units.
 */
export function formatAmount(amountMinor: number, currency: string): string {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined) return `${INTEGER.format(amountMinor)} minor units of ${currency}`;
  const format = new Intl.NumberFormat(undefined, {
    style: "currency",
    currency,
    currencyDisplay: "code",
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  });
  // A text keeps the amount exact. Dividing a large amount would not.
  const text = `${amountMinor}e-${exponent}` as Intl.StringNumericLiteral;
  return format.format(Number.isSafeInteger(amountMinor) ? text : amountMinor / 10 ** exponent);
}

/** Turns `snake_case` into words. */
export function formatName(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function formatTime(iso: string): string {
  return TIME(new Date(iso));
}

/** DASH-28: a whole time for a tooltip, as `2026-10-25T01:30:00.000+01:00 Europe/London`. */
export function formatExactTime(iso: string): string {
  return `${isoIn(Date.parse(iso), chosenZone())} ${zoneName()}`;
}

const STEPS = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3600 },
  { unit: "minute", seconds: 60 },
  { unit: "second", seconds: 1 },
] as const;

/** Formats as `3 min. ago`. `nowMs` is in Unix milliseconds. */
export function formatAge(iso: string, nowMs: number): string {
  const seconds = Math.max(1, Math.round((nowMs - Date.parse(iso)) / 1000));
  const step = STEPS.find((step) => seconds >= step.seconds) ?? STEPS[3];
  return RELATIVE.format(-Math.floor(seconds / step.seconds), step.unit);
}

/** Formats as `in 6 days`, or as `now` once the time is over. `nowMs` is in Unix milliseconds. */
export function formatUntil(iso: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(iso) - nowMs) / 1000);
  const step = STEPS.find((step) => seconds >= step.seconds);
  return step === undefined ? "now" : RELATIVE.format(Math.round(seconds / step.seconds), step.unit);
}

/** These formats label the ticks of a time axis. */
export const formatSecond = formatterOf({ ...CLOCK, second: "2-digit" });
export const formatMinute = formatterOf(CLOCK);
export const formatDay = formatterOf({ month: "short", day: "numeric" });
export const formatMonth = formatterOf({ month: "short", year: "numeric" });
/** For months that the service counts in UTC. In a zone west of UTC, local time would show the previous month. */
export const formatUtcMonth = formatterOf({ month: "short", year: "numeric", timeZone: "UTC" });

/** Formats the time of day, with the date if it was another day. Both times are in Unix milliseconds. */
export function formatMoment(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  return isSameDay(atMs, nowMs) ? formatSecond(at) : formatTime(at.toISOString());
}

/** True if both instants are on the same day in the chosen zone. Both are in Unix milliseconds. */
export function isSameDay(oneMs: number, otherMs: number): boolean {
  const zone = chosenZone();
  return dayIn(oneMs, zone) === dayIn(otherMs, zone);
}

/** Makes the format of each zone once. `timeZone` is the chosen zone unless the options name one. */
function formatterOf(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (date) => {
    const timeZone = options.timeZone ?? chosenZone();
    let format = formats.get(timeZone);
    if (format === undefined) {
      format = new Intl.DateTimeFormat(undefined, { ...options, timeZone });
      formats.set(timeZone, format);
    }
    return format.format(date);
  };
}
