const YEAR = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)";
/** Two digits that form a multiple of 4, except 00. */
const BY_FOUR = "(?:0[48]|[2468][048]|[13579][26])";
const LEAP_YEAR = `(?:[0-9]{2}${BY_FOUR}|${BY_FOUR}00)`;
const DAY = [
  "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
  "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
  "02-(?:0[1-9]|1[0-9]|2[0-8])",
].join("|");
const HOUR_MINUTE = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";

/**
 * Date, `T`, time with seconds, an optional fraction, and `Z` or an offset: RFC 3339 without leap seconds. The pattern
 * refuses days that do not exist, because a JSON Schema validator need not check `format: date-time`.
 */
export const TIMESTAMP_PATTERN =
  `^(?:${YEAR}-(?:${DAY})|${LEAP_YEAR}-02-29)` +
  `T${HOUR_MINUTE}:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-]${HOUR_MINUTE})$`;
const TIMESTAMP = new RegExp(TIMESTAMP_PATTERN);

/** The bounds of four-digit years in UTC. An offset can lead past them, and the result could not be parsed again. */
const FIRST_MS = Date.parse("0001-01-01T00:00:00.000Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * The Unix milliseconds of an ISO 8601 timestamp (RFC 3339 profile). Null for any other text, including 31 February.
 */
export function parseTimestamp(text: string): number | null {
  if (!TIMESTAMP.test(text)) return null;
  const ms = Date.parse(text);
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : null;
}

export function isTimestamp(text: string): boolean {
  return parseTimestamp(text) !== null;
}
