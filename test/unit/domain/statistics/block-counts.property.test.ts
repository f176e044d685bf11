import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { BlockCounts } from "../../../../src/domain/statistics/block-counts.js";

const BLOCKS = 5;
const BLOCK_MS = 1000;
const COLUMNS = 2;

describe("counts in blocks", () => {
  it("are the same for each number of blocks, asked one by one or together", () => {
    const event = fc.record({
      atMs: fc.nat(12_000),
      column: fc.nat(COLUMNS - 1),
      count: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), fc.nat(20_000), (events, nowMs) => {
        const counts = new BlockCounts(COLUMNS, BLOCKS, BLOCK_MS);
        for (const { atMs, column, count } of events) counts.add(atMs, [column], count);
        for (let column = 0; column < COLUMNS; column++) {
          const oneByOne = Array.from({ length: BLOCKS }, (_, more) => counts.last(more + 1, nowMs, column));
          assert.deepEqual(counts.growing(nowMs, column), oneByOne);
        }
      }),
    );
  });
});
