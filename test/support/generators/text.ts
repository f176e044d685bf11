import * as fc from "fast-check";

export interface TextBounds {
  /** In code points. */
  minLength?: number;
  maxLength?: number;
}

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;
const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((n) => String.fromCodePoint(n < SURROGATES_FROM ? n : n + SURROGATES));

/** Names that objects have of themselves. */
const INHERITED = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

/**
 * Text of any code points, and never half of a pair. It is `fc.string({ unit: "binary" })` without the half second of CPU
 * that this takes to be made, each time, for what it shrinks to.
 */
export function anyText({ minLength = 0, maxLength = 10 }: TextBounds = {}): fc.Arbitrary<string> {
  const texts = fc.array(codePoint, { minLength, maxLength }).map((points) => points.join(""));
  const inherited = INHERITED.filter(({ length }) => length >= minLength && length <= maxLength);
  if (inherited.length === 0) return texts;
  return fc.oneof({ arbitrary: texts, weight: 20 }, { arbitrary: fc.constantFrom(...inherited), weight: 1 });
}
