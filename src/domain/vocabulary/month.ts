/** Months since the year 0, UTC. The SQL function hour_month() must count the same way. */
export function monthOf(timeMs: number): number {
  const date = new Date(timeMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** `YYYY-MM` as months since the year 0. Null for a text that is not a month. */
export function parseMonth(text: string): number | null {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text);
  return match === null ? null : Number(match[1]) * 12 + Number(match[2]) - 1;
}

/** The inverse of `parseMonth`. */
export function formatMonth(month: number): string {
  const year = String(Math.floor(month / 12)).padStart(4, "0");
  return `${year}-${String((month % 12) + 1).padStart(2, "0")}`;
}

/** Unix milliseconds of a month's first moment, UTC. */
export function monthStartMs(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}
