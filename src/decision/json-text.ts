import { roundTo2 } from "../shared/rounding.js";

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

/** A list that was written before, and those that go on from it. */
interface WrittenList {
  readonly json: string;
  readonly longer: Map<string, WrittenList>;
}

const WRITTEN_LISTS_MAX = 4096;

/**
 * JSON arrays of strings: for lists of a small vocabulary and in the same few orders, each mostly found as it was written
 * before, at one look-up for each string. Policies bring words of their own: past a bound all is forgotten.
 */
function createListWriter(): (strings: readonly string[]) => string {
  const empty: WrittenList = { json: "[]", longer: new Map() };
  let written = 0;

  const writeLonger = (list: WrittenList, strings: readonly string[]): WrittenList => {
    if (++written > WRITTEN_LISTS_MAX) {
      empty.longer.clear();
      written = 1;
    }
    const longer: WrittenList = { json: JSON.stringify(strings), longer: new Map() };
    list.longer.set(strings.at(-1) as string, longer);
    return longer;
  };

  return (strings) => {
    let list = empty;
    for (let i = 0; i < strings.length; i++) {
      list = list.longer.get(strings[i] as string) ?? writeLonger(list, strings.slice(0, i + 1));
    }
    return list.json;
  };
}

export const codesJson = createListWriter();
/** Names of matched rules. */
export const ruleNamesJson = createListWriter();

/** `.01`, `.1`, … by hundredths; empty for none. */
const FRACTIONS: readonly string[] = Array.from({ length: 100 }, (_, hundredths) =>
  String(hundredths / 100).slice(1),
);
const FAST_WHOLE_MAX = 2 ** 31;

/** `JSON.stringify(roundTo2(value))`, faster for common ones. */
export function twoDecimalsJson(value: number): string {
  if (!(value > 0 && value < FAST_WHOLE_MAX)) return JSON.stringify(roundTo2(value));
  const hundredths = Math.round(value * 100);
  const whole = Math.trunc(hundredths / 100);
  return whole + (FRACTIONS[hundredths - whole * 100] as string);
}
