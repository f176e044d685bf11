import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { addToBlock, eachCount } from "../../../../../src/path/writer/copy/facet-block.js";

/** Distances and counts around the values at which an encoded integer gets longer. */
const facetId = fc.oneof(fc.nat({ max: 5 }), fc.constantFrom(127, 128, 129, 16_383, 16_384, 2 ** 31 - 1));
const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(63, 64, -64, -65, 8191, 8192, 2 ** 40, -(2 ** 40)),
);
const addition = fc.array(fc.record({ counter: fc.nat({ max: 29 }), facetId, number }), { maxLength: 30 });

describe("LOG-21: the counts of facets as bytes", () => {
  it("a block has the sums of everything that was added, and no zeros", () => {
    fc.assert(
      fc.property(fc.array(addition, { maxLength: 5 }), (additions) => {
        let block = Buffer.alloc(0);
        const expected = new Map<string, number>();
        for (const changes of additions) {
          const added = new Map<number, Map<number, number>>();
          for (const change of changes) {
            const ofCounter = added.get(change.counter) ?? new Map<number, number>();
            added.set(change.counter, ofCounter);
            ofCounter.set(change.facetId, (ofCounter.get(change.facetId) ?? 0) + change.number);
            const key = `${change.counter} ${change.facetId}`;
            expected.set(key, (expected.get(key) ?? 0) + change.number);
          }
          block = Buffer.from(addToBlock(block, added));
        }
        const found = new Map<string, number>();
        const order: number[] = [];
        let lastCounter: number | null = null;
        eachCount(block, (counter, facet, count) => {
          if (counter === lastCounter) assert.ok(facet > (order.at(-1) as number), "by rising facet");
          lastCounter = counter;
          order.push(facet);
          assert.ok(!found.has(`${counter} ${facet}`), "each count once");
          found.set(`${counter} ${facet}`, count);
        });
        for (const [key, sum] of expected) if (sum === 0) expected.delete(key);
        assert.equal(found.size, expected.size);
        for (const [key, sum] of expected) assert.equal(found.get(key), sum, key);
      }),
      { numRuns: 300 },
    );
  });

  it("a count and its distance take two bytes where both are small", () => {
    const counts = new Map(Array.from({ length: 100 }, (_, at) => [at, 1 + (at % 60)]));
    assert.equal(addToBlock(Buffer.alloc(0), new Map([[3, counts]])).length, 5 + 2 * 100);
  });
});
