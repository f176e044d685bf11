const YEAR = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)";
/** Two digits that 4 divides, but for 00. */
const BY_FOUR = "(?:0[48]|[2468][048]|[13579][26])";
const LEAP_YEAR = `(?:[0-9]{2}${BY_FOUR}|${BY_FOUR}00)`;
const DAY = [
  "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
  "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
  "02-(?:0[1-9]|1[0-9]|2[0-8])",
].join("|");
const HOUR_MINUTE = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";

/**
 * Date, `T`, time with seconds, an optional fraction, and `Z` or an offset: RFC 3339 without its leap second. The whole
 * calendar is in it, because a validator of JSON Schema need not look at `format: date-time`.
 */
export const TIMESTAMP_PATTERN =
  `^(?:${YEAR}-(?:${DAY})|${LEAP_YEAR}-02-29)` +
  `T${HOUR_MINUTE}:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-]${HOUR_MINUTE})$`;
const TIMESTAMP = new RegExp(TIMESTAMP_PATTERN);

/** What four digits of a year can say: an offset leads past either end, and such a time would not read back. */
const FIRST_MS = Date.parse("0001-01-01T00:00:00.000Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** Unix milliseconds of an ISO 8601 timestamp (RFC 3339 profile), or null for text that is none, 31 February included. */
export function parseTimestamp(text: string): number | null {
  if (!TIMESTAMP.test(text)) return null;
  const ms = Date.parse(text);
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : null;
}

export function isTimestamp(text: string): boolean {
  return parseTimestamp(text) !== null;
}
