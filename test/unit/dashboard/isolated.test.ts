import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isolated, isolatedParts } from "../../../src/dashboard/design/base/isolated.js";

const MARKS = ["\u2066", "\u2067", "\u2068", "\u2069", "\u202e", "\u2029", "a", "ש"];
const words = fc.array(fc.constantFrom(...MARKS)).map((chars) => chars.join(""));

/** The depth of isolations after each character, as the Unicode algorithm counts it. */
function depths(text: string): number[] {
  let depth = 0;
  return Array.from(text, (char) => {
    if (/[\u2066-\u2068]/.test(char)) depth += 1;
    else if (char === "\u2069" && depth > 0) depth -= 1;
    return depth;
  });
}

describe("DASH-9: others' words in a sentence", () => {
  it("nothing in them ends their isolation before they end", () => {
    fc.assert(
      fc.property(words, (text) => {
        const before = depths(isolated(text)).slice(0, -1);
        assert.ok(before.every((depth) => depth > 0));
        assert.ok(!isolated(text).includes("\u2029"));
      }),
    );
  });

  it("a sentence comes apart where they begin and end", () => {
    fc.assert(
      fc.property(
        words.filter((text) => !text.includes("\u2029")),
        (text) => {
          const written = isolated(text);
          const parts = isolatedParts(`Approved ${written}, at last`);
          assert.deepEqual([parts[0]?.text, parts.at(-1)?.text], ["Approved ", ", at last"]);
          for (const { isForeign, place } of parts)
            assert.equal(isForeign, place === 1 && parts.length === 3);
        },
      ),
    );
  });

  it("a sentence without any is one part", () => {
    assert.deepEqual(isolatedParts("Nothing was done"), [
      { place: 0, text: "Nothing was done", isForeign: false },
    ]);
  });
});
