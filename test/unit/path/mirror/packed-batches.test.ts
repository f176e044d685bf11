import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { JournalEntry } from "../../../../src/path/journal/journal.js";
import { toBatches } from "../../../../src/path/mirror/mirror-store.js";
import { packBatches, unpackBatches } from "../../../../src/path/mirror/packed-batches.js";

const entry = fc
  .record({ sequence: fc.nat({ max: 2 ** 47 }), batch: fc.uint8Array({ maxLength: 3000 }) })
  .map(({ sequence, batch }): JournalEntry => ({ sequence, batch: Buffer.from(batch) }));
const entries = fc
  .tuple(entry, fc.array(entry, { maxLength: 20 }))
  .map(([first, others]): [JournalEntry, ...JournalEntry[]] => [first, ...others]);

describe("the batches of an entry of the mirror", () => {
  it("DUR-17: come out as they went in, whatever their bytes", () => {
    fc.assert(
      fc.property(entries, (some) => {
        const { through, packed } = packBatches(some);
        assert.equal(through, some.at(-1)?.sequence);
        assert.deepEqual(unpackBatches(packed), some);
      }),
    );
  });

  it("stay as they are when the next entry is packed", () => {
    const of = (text: string): JournalEntry => ({ sequence: 1, batch: Buffer.from(text.repeat(100)) });
    const { packed } = packBatches([of("first")]);
    packBatches([of("other")]);
    assert.deepEqual(unpackBatches(packed), [of("first")]);
  });

  it("take a fraction of their bytes if they resemble each other", () => {
    const decisions = Array.from({ length: 30 }, (_, at) => ({
      decision_id: `dec_${at}`,
      action: "route",
      risk: { score: at },
    }));
    const batch = Buffer.from(JSON.stringify(decisions));
    assert.ok(packBatches([{ sequence: 30, batch }]).packed.length < batch.length / 2);
  });

  it("DUR-24: an entry that cannot be read is an error, and never an entry without batches", () => {
    const { packed } = packBatches([{ sequence: 7, batch: Buffer.from("a batch") }]);
    const reply = (field: string, bytes: Buffer): unknown => [
      [Buffer.from("7-0"), [Buffer.from(field), bytes]],
    ];
    assert.equal(toBatches(reply("lz4", packed), 6).length, 1);
    assert.deepEqual(toBatches(reply("lz4", packed), 7), []);
    for (const [field, bytes] of [
      ["lz4", packed.subarray(0, packed.length - 1)],
      ["lz4", Buffer.alloc(0)],
      ["7", packed],
    ] as const)
      assert.throws(() => toBatches(reply(field, bytes), 0), field);
  });
});

describe("the reading of a stream", () => {
  it("DUR-24: a batch that is there twice counts once, and stored ones do not count", () => {
    const batchOf = (sequence: number): JournalEntry => ({
      sequence,
      batch: Buffer.from(`batch ${sequence}`),
    });
    const fields = (first: number, second: number): Buffer[] => [
      Buffer.from("lz4"),
      packBatches([batchOf(first), batchOf(second)]).packed,
    ];
    const reply = [
      [Buffer.from("4-0"), fields(2, 4)],
      [Buffer.from("9-0"), fields(4, 9)],
    ];
    assert.deepEqual(toBatches(reply, 2), [batchOf(4), batchOf(9)]);
  });
});
