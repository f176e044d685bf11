import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isPlainBytes, tabSeparated } from "../../../../src/path/log-copy/tab-separated.js";

/** The escapes of ClickHouse's format TabSeparated. */
const UNESCAPED: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  r: "\r",
  n: "\n",
  t: "\t",
  "0": "\0",
  "\\": "\\",
};
const read = (line: string): (string | null)[] =>
  line
    .slice(0, -1)
    .split("\t")
    .map((cell) =>
      cell === "\\N" ? null : cell.replaceAll(/\\(.)/gs, (_, char: string) => UNESCAPED[char] as string),
    );

describe("rows for ClickHouse", () => {
  it("CH-2: a row is one line, and each cell is read as it was", () => {
    const chars = fc.constantFrom(..."\\\t\n\r\0\b\f'\"Nnt\u00e9\u{1f4b3}");
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: chars }));
    fc.assert(
      fc.property(fc.array(fc.option(text), { minLength: 1 }), (cells) => {
        const line = tabSeparated(cells);
        assert.equal(line.indexOf("\n"), line.length - 1);
        assert.deepEqual(read(line), cells);
        for (const cell of cells.filter((one) => one !== null)) {
          assert.equal(isPlainBytes(Buffer.from(cell)), tabSeparated([cell]) === `${cell}\n`);
        }
      }),
    );
  });
});
