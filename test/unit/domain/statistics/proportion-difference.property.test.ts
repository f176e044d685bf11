import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { proportionDifference } from "../../../../src/domain/statistics/proportion-difference.js";

const proportion = fc
  .integer({ min: 1, max: 1_000_000 })
  .chain((whole) => fc.record({ part: fc.nat({ max: whole }), whole: fc.constant(whole) }));

describe("ANA-8: Newcombe's hybrid score interval", () => {
  // The values are from Newcombe 1998, table II, method 10, to four decimals.
  for (const [one, other, low, high] of [
    [[56, 70], [48, 80], 0.0524, 0.3339],
    [[9, 10], [3, 10], 0.1705, 0.809],
    [[6, 7], [2, 7], 0.0582, 0.8062],
    [[5, 56], [0, 29], -0.0381, 0.1926],
    [[0, 10], [0, 20], -0.1611, 0.2775],
    [[0, 10], [0, 10], -0.2775, 0.2775],
    [[10, 10], [0, 20], 0.6791, 1],
    [[10, 10], [0, 10], 0.6075, 1],
  ] as const) {
    it(`${one.join("/")} less ${other.join("/")} is from ${low} to ${high}`, () => {
      const found = proportionDifference(
        { part: one[0], whole: one[1] },
        { part: other[0], whole: other[1] },
      );
      assert.equal(found.low.toFixed(4), low.toFixed(4));
      assert.equal(found.high.toFixed(4), high.toFixed(4));
    });
  }

  it("holds the difference, stays within -1 and 1, and turns around with its two sides", () => {
    fc.assert(
      fc.property(proportion, proportion, (now, before) => {
        const { difference, low, high } = proportionDifference(now, before);
        const turned = proportionDifference(before, now);
        const slack = 1e-12;
        assert.ok(low <= difference + slack && difference <= high + slack);
        assert.ok(low >= -1 - slack && high <= 1 + slack);
        assert.ok(Math.abs(turned.low + high) < slack && Math.abs(turned.high + low) < slack);
      }),
    );
  });
});
