import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { CopyBuffer } from "../../../../src/platform/postgres/copy-transaction.js";
import { ByteRange } from "../../../../src/path/journal/decision-record.js";
import { decodeSegment, SegmentEncoder } from "../../../../src/path/writer/copy/decision-batch.js";
import { anyText } from "../../../support/generators/text.js";

const HEADER = "5047434f50590aff0d0a000000000000000000";

describe("COPY binary format", () => {
  it("writes the bytes the PostgreSQL manual describes", () => {
    const copy = new CopyBuffer(32);
    copy.begin();
    copy.row(8, 100);
    copy.int2(-2);
    copy.int4(258);
    copy.int8(2 ** 32 + 5);
    copy.null();
    copy.text("aé");
    copy.text(ByteRange.of(Buffer.from("ß")));
    copy.id("dec_00000000000000000000000001");
    copy.id(ByteRange.of(Buffer.alloc(16, 0xab)));
    const fields = [
      "00000002fffe",
      "0000000400000102",
      "000000080000000100000005",
      "ffffffff",
      "0000000361c3a9",
      "00000002c39f",
      "00000010" + "0".repeat(31) + "1",
      "00000010" + "ab".repeat(16),
    ];
    assert.equal(Buffer.from(copy.end()).toString("hex"), HEADER + "0008" + fields.join("") + "ffff");
  });

  it("writes every safe bigint as two's complement", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const copy = new CopyBuffer();
        copy.begin();
        copy.row(1, 12);
        copy.int8(value);
        assert.equal(Buffer.from(copy.end()).readBigInt64BE(19 + 2 + 4), BigInt(value));
      }),
    );
  });

  it("grows to the size of the written data and starts each batch afresh", () => {
    const text = anyText();
    const copy = new CopyBuffer(32);
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        copy.begin();
        const expected = [Buffer.from(HEADER, "hex")];
        for (const value of texts) {
          copy.row(1, 4 + 3 * value.length);
          copy.text(value);
          const head = Buffer.alloc(6);
          head.writeInt16BE(1);
          head.writeInt32BE(Buffer.byteLength(value), 2);
          expected.push(head, Buffer.from(value));
        }
        expected.push(Buffer.from("ffff", "hex"));
        assert.deepEqual(Buffer.from(copy.end()), Buffer.concat(expected));
      }),
    );
  });
});

describe("segment codec", () => {
  it("gives back the documents end to end", () => {
    const docs = fc.array(fc.uint8Array({ maxLength: 2_000 }), { minLength: 1, maxLength: 40 });
    // The encoder's memory is reused. The rest of a longer segment in it must not be visible.
    const encoder = new SegmentEncoder();
    fc.assert(
      fc.property(docs, (parts) => {
        const whole = Buffer.concat(parts);
        assert.deepEqual(decodeSegment(encoder.encode(parts, whole.length)), whole);
      }),
    );
  });
});
