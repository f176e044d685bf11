import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  escaped,
  isPlainBytes,
  LineRoom,
  withDocuments,
} from "../../../../src/path/log-copy/with-documents.js";
import { SegmentEncoder } from "../../../../src/path/writer/copy/decision-batch.js";

/** The escapes of TabSeparated in ClickHouse. */
const UNESCAPED: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  r: "\r",
  n: "\n",
  t: "\t",
  "0": "\0",
  "\\": "\\",
};
const read = (cell: string): string =>
  cell.replaceAll(/\\(.)/gs, (_, char: string) => UNESCAPED[char] as string);

const chars = fc.constantFrom(..."\\\t\n\r\0\b\f'\"Nnt\u00e9\u{1f4b3}");
const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: chars }));
/** All rows share one LineRoom, as in the thread that copies them. */
const room = new LineRoom();
const segmentOf = (position: number): string =>
  `00000000-0000-4000-8000-${String(position).padStart(12, "0")}`;

describe("rows for ClickHouse", () => {
  it("CH-2: a document is one cell, and it is read as it was", () => {
    fc.assert(
      fc.property(text, (document) => {
        const cell = escaped(Buffer.from(document)).toString();
        assert.doesNotMatch(cell, /[\t\n]/);
        assert.equal(read(cell), document);
        assert.equal(isPlainBytes(Buffer.from(document)), cell === document);
      }),
    );
  });

  it("CH-2: each row ends with its own document, in whatever order the rows of the segments come", () => {
    const segments = fc.array(fc.array(text, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(segments, fc.infiniteStream(fc.nat()), (documentsBySegment, order) => {
        const packed = new Map<string, Buffer>();
        const lines: { line: string; document: string }[] = [];
        for (const [position, documents] of documentsBySegment.entries()) {
          const bytes = documents.map((document) => Buffer.from(document));
          let offset = 0;
          for (const [i, document] of documents.entries()) {
            const length = (bytes[i] as Buffer).length;
            lines.push({
              line: `${position}.${i}\t\\N\t${segmentOf(position)}\t${offset}\t${length}\n`,
              document,
            });
            offset += length;
          }
          packed.set(segmentOf(position), Buffer.from(new SegmentEncoder().encode(bytes, offset)));
        }
        const shuffled = lines
          .map((line) => ({ ...line, at: order.next().value as number }))
          .toSorted((one, other) => one.at - other.at);
        const { rows, bytes } = withDocuments(
          Buffer.from(shuffled.map(({ line }) => line).join("")),
          packed,
          room,
        );
        assert.equal(rows, lines.length);
        const expected = lines.map(({ line, document }) => [...line.split("\t").slice(0, 2), document]);
        const got = bytes
          .toString()
          .split("\n")
          .slice(0, -1)
          .map((line) => line.split("\t"));
        assert.deepEqual(
          new Set(got.map(([first, second, cell]) => JSON.stringify([first, second, read(cell as string)]))),
          new Set(expected.map((cells) => JSON.stringify(cells))),
        );
      }),
    );
  });

  it("CH-2: rows whose segment has left are left out", () => {
    const line = `a\t${segmentOf(1)}\t0\t1\n`;
    assert.deepEqual(withDocuments(Buffer.from(line), new Map(), room), { rows: 0, bytes: Buffer.alloc(0) });
  });
});
