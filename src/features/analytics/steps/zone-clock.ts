/** Reads the wall clock of a time zone. Zones have IANA names. */

export interface WallTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
}

const clocks = new Map<string, Intl.DateTimeFormat>();
/**
 * Limits the cached clocks. Names that differ in case are separate keys for the same zone, so callers could otherwise
 * create any number of clocks.
 */
const CLOCKS_MAX = 200;
/** `Intl` also accepts offsets such as `+01:00`. They are not names of zones. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

export function isTimeZone(name: string): boolean {
  return NAME.test(name) && clockOf(name) !== null;
}

/** Returns null if there is no such zone. */
function clockOf(zone: string): Intl.DateTimeFormat | null {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  try {
    const clock = new Intl.DateTimeFormat("en-US-u-ca-iso8601-nu-latn", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
    });
    if (clocks.size >= CLOCKS_MAX) clocks.clear();
    clocks.set(zone, clock);
    return clock;
  } catch {
    return null;
  }
}

/** Reads the clock at an instant in Unix milliseconds. Throws for an unknown zone. */
export function wallTime(atMs: number, zone: string): WallTime {
  const clock = clockOf(zone);
  if (clock === null) throw new RangeError("unknown time zone");
  const time: WallTime = { year: 0, month: 0, day: 0, hour: 0 };
  for (const { type, value } of clock.formatToParts(atMs)) {
    if (type === "year" || type === "month" || type === "day" || type === "hour") time[type] = Number(value);
  }
  return time;
}
