/**
 * `JSON.stringify(text)`, faster for the short plain ASCII strings that ids and codes are: a scan decides whether
 * anything needs escaping.
 */
export function quoteJson(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Outside printable ASCII, or `"` or `\`: let the platform escape it.
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return JSON.stringify(text);
  }
  return `"${text}"`;
}

export function quoteJsonOrNull(text: string | null): string {
  return text === null ? "null" : quoteJson(text);
}

/** A JSON array of strings. */
export function stringsJson(texts: readonly string[]): string {
  let json = "[";
  for (let i = 0; i < texts.length; i++) json += (i === 0 ? "" : ",") + quoteJson(texts[i] as string);
  return `${json}]`;
}

/** A list of codes that was written before, and those that go on from it. */
interface WrittenCodes {
  readonly json: string;
  readonly longer: Map<string, WrittenCodes>;
}

const NO_CODES: WrittenCodes = { json: "[]", longer: new Map() };
const WRITTEN_CODES_MAX = 4096;
let written = 0;

/**
 * A JSON array of codes: of a small vocabulary and in the same few orders, so that the list is mostly found as it was
 * written before, at one look-up for each code. Policies bring codes of their own: past a bound all is forgotten.
 */
export function codesJson(codes: readonly string[]): string {
  let list = NO_CODES;
  for (let i = 0; i < codes.length; i++) {
    list = list.longer.get(codes[i] as string) ?? writeLonger(list, codes.slice(0, i + 1));
  }
  return list.json;
}

function writeLonger(list: WrittenCodes, codes: readonly string[]): WrittenCodes {
  if (++written > WRITTEN_CODES_MAX) {
    NO_CODES.longer.clear();
    written = 1;
  }
  const longer: WrittenCodes = { json: JSON.stringify(codes), longer: new Map() };
  list.longer.set(codes.at(-1) as string, longer);
  return longer;
}

/** `.01`, `.1`, … by hundredths; empty for none. */
const FRACTIONS: readonly string[] = Array.from({ length: 100 }, (_, hundredths) =>
  String(hundredths / 100).slice(1),
);
const FAST_WHOLE_MAX = 2 ** 31;

/** `JSON.stringify(value)` of a number that was rounded to two decimals, faster for common ones. */
export function twoDecimalsJson(value: number): string {
  if (!(value > 0 && value < FAST_WHOLE_MAX)) return JSON.stringify(value);
  const hundredths = Math.round(value * 100);
  const whole = Math.trunc(hundredths / 100);
  return whole + (FRACTIONS[hundredths - whole * 100] as string);
}
