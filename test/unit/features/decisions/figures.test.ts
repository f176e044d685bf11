import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { amountBucket } from "../../../../src/features/decisions/amount-bucket.js";
import { percentile, presentCounts, rate } from "../../../../src/domain/statistics/figures.js";

describe("LOG-8: amount_bucket, lower bound included", () => {
  const cases: [amount: number, bucket: string][] = [
    [1, "lt_1k"],
    [999, "lt_1k"],
    [1000, "1k_5k"],
    [4999, "1k_5k"],
    [5000, "5k_10k"],
    [9999, "5k_10k"],
    [10_000, "10k_50k"],
    [49_999, "10k_50k"],
    [50_000, "50k_100k"],
    [99_999, "50k_100k"],
    [100_000, "100k_500k"],
    [499_999, "100k_500k"],
    [500_000, "gte_500k"],
    [Number.MAX_SAFE_INTEGER, "gte_500k"],
  ];
  for (const [amount, bucket] of cases) {
    it(`${amount} is ${bucket}`, () => assert.equal(amountBucket(amount), bucket));
  }
});

describe("AGG-3: figures of the aggregate", () => {
  it("a rate over 0 is null", () => {
    assert.equal(rate(0, 0), null);
    assert.equal(rate(1, 4), 0.25);
  });

  it("a percentile is the nearest rank of the sorted values", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1 }),
        fc.constantFrom(0.5, 0.95, 0.99, 1),
        (values, fraction) => {
          const distribution = new Map<number, number>();
          for (const value of values) distribution.set(value, (distribution.get(value) ?? 0) + 1);
          const sorted = values.toSorted((a, b) => a - b);
          assert.equal(percentile(distribution, fraction), sorted[Math.ceil(fraction * sorted.length) - 1]);
        },
      ),
    );
    assert.equal(percentile(new Map(), 0.95), null);
  });

  it("shows the values that occurred, most first, the list's own order among equals", () => {
    assert.deepEqual(presentCounts(["a", "b", "c", "d"], { a: 1, b: 0, c: 3, d: 1 }), [
      { name: "c", count: 3 },
      { name: "a", count: 1 },
      { name: "d", count: 1 },
    ]);
  });
});
