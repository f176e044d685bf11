import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  addAmount,
  addCounts,
  amountBucketMax,
  createAmountSketch,
  normalAmountMax,
  toCounts,
  type AmountSketch,
} from "../../../../src/domain/risk/amount-sketch.js";

function sketchOf(amounts: readonly number[]): AmountSketch {
  const sketch = createAmountSketch();
  for (const amount of amounts) addAmount(sketch, amount);
  return sketch;
}

const amountMinor = fc.oneof(
  fc.integer({ min: 1, max: 5000 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);

describe("a merchant's 99th-percentile amount", () => {
  it("RISK-13: is not known below 100 decisions, and is from 100 on", () => {
    const sketch = sketchOf(Array.from({ length: 99 }, () => 500));
    assert.equal(normalAmountMax(sketch), null);
    addAmount(sketch, 500);
    assert.equal(normalAmountMax(sketch), 500);
    assert.equal(normalAmountMax(createAmountSketch()), null);
  });

  it("is the nearest rank: of 1 to 100 the 99th, of 1 to 101 the 100th", () => {
    const first = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
    assert.equal(normalAmountMax(sketchOf(first(100))), 99);
    assert.equal(normalAmountMax(sketchOf(first(101))), 100);
    assert.equal(normalAmountMax(sketchOf(first(200))), 198);
    assert.equal(normalAmountMax(sketchOf(first(100).toReversed())), 99);
  });

  it("is exact below 1000 minor units, and at most 1 % above the true one from there on (property)", () => {
    fc.assert(
      fc.property(fc.array(amountMinor, { minLength: 100, maxLength: 300 }), (amounts) => {
        const exact = amounts.toSorted((a, b) => a - b)[Math.ceil(amounts.length * 0.99) - 1] as number;
        const found = normalAmountMax(sketchOf(amounts)) as number;
        assert.ok(found >= exact && found <= exact * 1.01, `${found} for ${exact}`);
        if (exact < 1000) assert.equal(found, exact);
      }),
    );
  });
});

describe("amount buckets", () => {
  it("round up to three significant digits", () => {
    for (const [amount, bucket] of [
      [1, 1],
      [999, 999],
      [1000, 1000],
      [1001, 1010],
      [1010, 1010],
      [9999, 10_000],
      [129_900, 130_000],
      [130_000, 130_000],
      [130_001, 131_000],
    ] as const) {
      assert.equal(amountBucketMax(amount), bucket);
    }
  });

  it("are their own bucket, grow with the amount and hold it (property)", () => {
    fc.assert(
      fc.property(amountMinor, amountMinor, (a, b) => {
        const [low, high] = a <= b ? [a, b] : [b, a];
        assert.ok(amountBucketMax(low) <= amountBucketMax(high));
        assert.ok(amountBucketMax(a) >= a && amountBucketMax(a) <= a * 1.01);
        assert.equal(amountBucketMax(amountBucketMax(a)), amountBucketMax(a));
      }),
    );
  });

  it("are at most 900 a decade", () => {
    const decade = Array.from({ length: 9000 }, (_, i) => 1000 + i);
    assert.ok(sketchOf(decade).counts.size <= 901);
  });
});

describe("sketches of several nodes", () => {
  it("add up to the sketch of all amounts, in any order (property)", () => {
    fc.assert(
      fc.property(fc.array(fc.array(amountMinor, { maxLength: 80 }), { maxLength: 5 }), (nodes) => {
        const merged = createAmountSketch();
        for (const amounts of nodes.toReversed()) addCounts(merged, toCounts(sketchOf(amounts)));
        const whole = sketchOf(nodes.flat());
        const sorted = ({ counts }: AmountSketch) => [...counts].toSorted(([a], [b]) => a - b);
        assert.deepEqual(sorted(merged), sorted(whole));
        assert.equal(merged.total, whole.total);
        assert.equal(normalAmountMax(merged), normalAmountMax(whole));
      }),
    );
  });
});
