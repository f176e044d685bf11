/** Date, `T`, time with seconds, an optional fraction, and `Z` or an offset. */
const SHAPE = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Unix milliseconds of an ISO 8601 timestamp (RFC 3339 profile), or null for text that is none, 31 February included. */
export function parseTimestamp(text: string): number | null {
  const match = SHAPE.exec(text);
  if (match === null) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return null;
  // Date.parse takes 31 February for 3 March.
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate() ? ms : null;
}

export function isTimestamp(text: string): boolean {
  return parseTimestamp(text) !== null;
}
