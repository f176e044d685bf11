import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { absorb, finishHash, startHash } from "../../../../src/domain/ids/half-sip-hash.js";

/** Linux's lib/test_siphash.c: key 00 01 … 07, messages of 0, 1, 2 … bytes 00 01 02 …. */
const VECTORS = [
  0x5814c896, 0xe7e864ca, 0xbc4b0e30, 0x01539939, 0x7e059ea6, 0x88e3d89b, 0xa0080b65, 0x9d38d9d6, 0x577999b1,
  0xc839caed, 0xe4fa32cf, 0x959246ee, 0x6b28096c, 0x66dd9cd6, 0x16658a7c, 0xd0257b04, 0x8b31d501, 0x2b1cd04b,
];
const KEY = Uint8Array.from({ length: 8 }, (_, index) => index);

/** The words of a message. The last word also has the message's length. */
function wordsOf(message: Uint8Array): Int32Array {
  const words = new Int32Array((message.length >> 2) + 1);
  for (const [index, byte] of message.entries()) (words[index >> 2] as number) |= byte << (8 * (index & 3));
  (words[words.length - 1] as number) |= (message.length & 0xff) << 24;
  return words;
}

describe("HalfSipHash-1-3", () => {
  for (const [length, expected] of VECTORS.entries()) {
    it(`gives Linux's hash of ${length} bytes`, () => {
      const words = wordsOf(Uint8Array.from({ length }, (_, index) => index));
      assert.equal(finishHash(startHash(KEY), words, words.length), expected);
    });
  }

  it("gives the same hash however much of the message is absorbed before", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        fc.uint8Array({ maxLength: 80 }),
        fc.nat(),
        (key, message, cut) => {
          const words = wordsOf(message);
          const absorbedWords = cut % words.length;
          const state = absorb(startHash(key), words.subarray(0, absorbedWords));
          const rest = words.subarray(absorbedWords);
          assert.equal(finishHash(state, rest, rest.length), finishHash(startHash(key), words, words.length));
        },
      ),
    );
  });
});
