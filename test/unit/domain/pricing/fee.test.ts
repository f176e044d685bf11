import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { effectiveBps, FeeSchedule, isExactBps, type FeeTerms } from "../../../../src/domain/pricing/fee.js";

const fee = (amount: number, terms: Partial<FeeTerms>): number =>
  new FeeSchedule({ percentage_bps: 0, fixed_minor: 0, ...terms }).feeMinor(amount);
const MAX = Number.MAX_SAFE_INTEGER;

describe("COST-5, COST-6: Model v2: estimated_cost_minor rounds half up", () => {
  const table: [name: string, amount: number, terms: Partial<FeeTerms>, cost: number][] = [
    ["whole minor units", 10_000, { percentage_bps: 290, fixed_minor: 30 }, 320],
    ["under a half goes down", 149, { percentage_bps: 100 }, 1],
    ["exactly a half goes up", 150, { percentage_bps: 100 }, 2],
    ["over a half goes up", 151, { percentage_bps: 100 }, 2],
    ["just under a half of hundredths goes down", 4999, { percentage_bps: 1 }, 0],
    ["a half of the smallest amount that has one", 5000, { percentage_bps: 1 }, 1],
    ["hundredths of a basis point", 500_000, { percentage_bps: 0.01 }, 1],
    ["hundredths just under a half", 499_999, { percentage_bps: 0.01 }, 0],
    ["a percentage that binary fractions do not hold", 10_000, { percentage_bps: 12.35 }, 12],
    ["…at its half", 20_000, { percentage_bps: 12.25 }, 25],
    ["the fixed part never rounds the percentage's part", 150, { percentage_bps: 100, fixed_minor: 7 }, 9],
    ["nothing", 10_000, {}, 0],
    ["one minor unit", 1, { percentage_bps: 290 }, 0],
    ["the whole of the largest amount", MAX, { percentage_bps: 10_000 }, MAX],
    ["half of the largest amount", MAX, { percentage_bps: 5000 }, 4_503_599_627_370_496],
    ["never over 2^53−1", MAX, { percentage_bps: 10_000, fixed_minor: MAX }, MAX],
  ];
  for (const [name, amount, terms, cost] of table) {
    it(`${name}: ${cost}`, () => assert.equal(fee(amount, terms), cost));
  }

  it("equals arbitrary-precision integers, for every amount and percentage", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 1, max: 2_000_000 }), fc.integer({ min: 1, max: MAX })),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: MAX })),
        (amount, hundredths, fixed) => {
          const twice = (2n * BigInt(amount) * BigInt(hundredths)) / 1_000_000n;
          const exact = (twice + 1n) / 2n + BigInt(fixed);
          const expected = exact > BigInt(MAX) ? MAX : Number(exact);
          assert.equal(fee(amount, { percentage_bps: hundredths / 100, fixed_minor: fixed }), expected);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("COST-5, PRICE-2, PRICE-3: min_fee_minor, max_fee_minor and tiers", () => {
  const limits = { percentage_bps: 100, fixed_minor: 10, min_fee_minor: 50, max_fee_minor: 200 };
  const tiers = [
    { amount_gte: 100_000, percentage_bps: 50, fixed_minor: 5 },
    { amount_gte: 10_000, percentage_bps: 80, fixed_minor: 0 },
  ];
  const threeTiers = [...tiers, { amount_gte: 50_000, percentage_bps: 70, fixed_minor: 0 }];
  const table: [name: string, amount: number, terms: Partial<FeeTerms>, cost: number][] = [
    ["under the minimum", 3999, limits, 50],
    ["at the minimum", 4000, limits, 50],
    ["above it", 4100, limits, 51],
    ["at the maximum", 19_000, limits, 200],
    ["above the maximum", 19_100, limits, 200],
    ["a minimum that is the maximum", 1, { ...limits, max_fee_minor: 50 }, 50],
    ["below the first tier", 9999, { percentage_bps: 100, tiers }, 100],
    ["at a tier: the whole amount at its price", 10_000, { percentage_bps: 100, tiers }, 80],
    ["below the next tier", 99_999, { percentage_bps: 100, tiers }, 800],
    ["at the last tier, with its fixed part", 100_000, { percentage_bps: 100, tiers }, 505],
    ["tiers in the other order", 100_000, { percentage_bps: 100, tiers: tiers.toReversed() }, 505],
    ["below the second of three tiers", 49_999, { percentage_bps: 100, tiers: threeTiers }, 400],
    ["at the second of three tiers", 50_000, { percentage_bps: 100, tiers: threeTiers }, 350],
    ["limits hold for tiers too", 100_000, { percentage_bps: 100, tiers, max_fee_minor: 400 }, 400],
  ];
  for (const [name, amount, terms, cost] of table) {
    it(`${name}: ${cost}`, () => assert.equal(fee(amount, terms), cost));
  }
});

describe("COST-6: Model v2: effective_bps", () => {
  it("is cost/amount·10⁴, and whole where the cost is", () => {
    assert.equal(effectiveBps(320, 10_000), 320);
    // 0.035·10⁴ is 350.00000000000006 in binary fractions.
    assert.equal(effectiveBps(350, 10_000), 350);
    assert.equal(effectiveBps(1, 3), 10_000 / 3);
  });
});

describe("percentage_bps", () => {
  it("has at most two decimals", () => {
    for (let hundredths = 0; hundredths <= 1_000_000; hundredths += 7) {
      assert.ok(isExactBps(hundredths / 100), String(hundredths));
    }
    for (const bps of [0.001, 2.905, 9999.999, 1e-9]) assert.ok(!isExactBps(bps), String(bps));
  });
});
