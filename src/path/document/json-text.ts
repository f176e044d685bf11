import { roundTo2 } from "../../domain/vocabulary/rounding.js";

/**
 * Wraps `write` so that each object is written only one time. The text is kept as long as its object exists. Do not
 * change an object after its first use.
 */
export function writtenOnce<Value extends WeakKey, Text>(
  write: (value: Value) => Text,
): (value: Value) => Text {
  const written = new WeakMap<Value, Text>();
  return (value) => {
    let text = written.get(value);
    if (text === undefined) {
      text = write(value);
      written.set(value, text);
    }
    return text;
  };
}

/**
 * Returns `JSON.stringify(text)`. It is faster for short plain ASCII strings such as ids and codes, because it first
 * checks whether anything needs escaping.
 */
export function quoteJson(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // `"`, `\` and everything outside printable ASCII are left to the platform.
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return JSON.stringify(text);
  }
  return `"${text}"`;
}

/** A list of codes that was written before, with the known lists that continue it by one code. */
interface WrittenCodes {
  readonly json: string;
  readonly longer: Map<string, WrittenCodes>;
}

const NO_CODES: WrittenCodes = { json: "[]", longer: new Map() };
const WRITTEN_CODES_MAX = 4096;
let written = 0;

/**
 * Returns a JSON array of codes. Codes come from a small vocabulary in few orders, so most lists have been written
 * before. Finding a written list costs one look-up for each code. Policies can add codes of their own, so the memory is
 * emptied when it reaches its limit.
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

const ZERO = "0".charCodeAt(0);
const POINT = ".".charCodeAt(0);
const SIX_DIGITS_MAX = 999_999;

/**
 * Returns `JSON.stringify(value)` for an integer. V8 caches the texts of numbers. Amounts seldom repeat, so a look-up
 * there would only cost two cache misses. Writing up to six digits directly takes half as long. `| 0` keeps the numbers
 * 32-bit integers.
 */
export function integerJson(value: number): string {
  if (!(value >= 0 && value <= SIX_DIGITS_MAX)) return JSON.stringify(value);
  const text = String.fromCharCode;
  const ones = ZERO + (value % 10);
  if (value < 10) return text(ones);
  const tens = ZERO + (((value / 10) | 0) % 10);
  if (value < 100) return text(tens, ones);
  const hundreds = ZERO + (((value / 100) | 0) % 10);
  if (value < 1000) return text(hundreds, tens, ones);
  const thousands = ZERO + (((value / 1000) | 0) % 10);
  if (value < 10_000) return text(thousands, hundreds, tens, ones);
  const tenThousands = ZERO + (((value / 10_000) | 0) % 10);
  if (value < 100_000) return text(tenThousands, thousands, hundreds, tens, ones);
  return text(ZERO + ((value / 100_000) | 0), tenThousands, thousands, hundreds, tens, ones);
}

/** `.01`, `.1`, …, by hundredths. The text for 0 is empty. */
const FRACTIONS: readonly string[] = Array.from({ length: 100 }, (_, hundredths) =>
  String(hundredths / 100).slice(1),
);

/** Returns `JSON.stringify(roundTo2(value))`. It is faster for common values. */
export function twoDecimalsJson(value: number): string {
  if (!(value > 0 && value < SIX_DIGITS_MAX)) return JSON.stringify(roundTo2(value));
  const hundredths = Math.round(value * 100) | 0;
  const whole = (hundredths / 100) | 0;
  const fraction = hundredths - whole * 100;
  // Nine of ten values have two decimals. They are made as one text, because the sum of two texts would add a part to
  // the reply's string.
  const hundredth = fraction % 10;
  if (hundredth === 0) return integerJson(whole) + (FRACTIONS[fraction] as string);
  const text = String.fromCharCode;
  const second = ZERO + hundredth;
  const first = ZERO + ((fraction / 10) | 0);
  const ones = ZERO + (whole % 10);
  if (whole < 10) return text(ones, POINT, first, second);
  const tens = ZERO + (((whole / 10) | 0) % 10);
  if (whole < 100) return text(tens, ones, POINT, first, second);
  const hundreds = ZERO + (((whole / 100) | 0) % 10);
  if (whole < 1000) return text(hundreds, tens, ones, POINT, first, second);
  const thousands = ZERO + (((whole / 1000) | 0) % 10);
  if (whole < 10_000) return text(thousands, hundreds, tens, ones, POINT, first, second);
  const tenThousands = ZERO + (((whole / 10_000) | 0) % 10);
  if (whole < 100_000) return text(tenThousands, thousands, hundreds, tens, ones, POINT, first, second);
  const hundredThousands = ZERO + ((whole / 100_000) | 0);
  return text(hundredThousands, tenThousands, thousands, hundreds, tens, ones, POINT, first, second);
}

/**
 * Joins the parts into one flat string. V8 stores `a + b` as a tree of parts, and walks the tree whenever the string is
 * written. Use it for a text that is kept and written many times.
 */
export function inOnePiece(...parts: string[]): string {
  return parts.join("");
}
