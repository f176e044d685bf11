/** Clock times of time zones. Instants are Unix milliseconds; zones have their IANA names. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat("en-US-u-ca-iso8601-nu-latn", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    clocks.set(zone, clock);
  }
  return clock;
}

/** The wall-clock time of a zone at an instant, as the Unix milliseconds at which UTC shows that time. */
function wallMs(atMs: number, zone: string): number {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const whole = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  // `Intl` gives whole seconds, so the milliseconds are added.
  return whole + (((atMs % 1000) + 1000) % 1000);
}

function offsetMs(atMs: number, zone: string): number {
  return wallMs(atMs, zone) - atMs;
}

/** Formats as `2026-10-25T01:30:00.000+01:00`. */
export function isoIn(atMs: number, zone: string): string {
  const offset = Math.round(offsetMs(atMs, zone) / MINUTE_MS);
  const text = new Date(atMs + offset * MINUTE_MS).toISOString().slice(0, -1);
  if (offset === 0) return `${text}Z`;
  const two = (number: number): string => String(Math.floor(number)).padStart(2, "0");
  const minutes = Math.abs(offset);
  return `${text}${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** Formats as `2026-11-20T18:30`, the value of a field of type `datetime-local`. */
export function fieldIn(atMs: number, zone: string): string {
  return new Date(wallMs(atMs, zone)).toISOString().slice(0, 16);
}

/** The calendar day at an instant, as `2026-11-20`. */
export function dayIn(atMs: number, zone: string): string {
  return new Date(wallMs(atMs, zone)).toISOString().slice(0, 10);
}

/**
 * Returns the instant at which a clock of `zone` shows `field`, such as `2026-11-20T18:30`. If the clock shows that
 * time twice, the first instant is returned. If the clock skips it, the offset from before the change applies.
 * Undefined if the text is not a time.
 */
export function instantOf(field: string, zone: string): number | undefined {
  const wall = Date.parse(`${field}Z`);
  if (Number.isNaN(wall)) return undefined;
  // No zone changes its clock twice in two days.
  const before = wall - offsetMs(wall - DAY_MS, zone);
  const after = wall - offsetMs(wall + DAY_MS, zone);
  // When the clock goes back, both instants are right. The first one is before the change.
  return wallMs(before, zone) === wall || wallMs(after, zone) !== wall ? before : after;
}

/** The first instant of a day, such as `2026-11-20`. It is midnight unless the clock skips midnight. */
export function dayStartOf(day: string, zone: string): number | undefined {
  return instantOf(`${day}T00:00`, zone);
}

/** The last millisecond of a day. A day has 23 or 25 hours where the clock changes. */
export function dayEndOf(day: string, zone: string): number | undefined {
  const noon = Date.parse(`${day}T12:00Z`);
  if (Number.isNaN(noon)) return undefined;
  const next = dayStartOf(new Date(noon + DAY_MS).toISOString().slice(0, 10), zone);
  return next === undefined ? undefined : next - 1;
}
