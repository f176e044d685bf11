/**
 * Counts of amounts in buckets. A bucket is an amount rounded up to three significant digits. Amounts below 1000 minor
 * units are exact, and larger ones are within 1 %. A decade of amounts has at most 900 buckets. Sketches of several
 * nodes can be added.
 */
export interface AmountSketch {
  counts: Map<number, number>;
  total: number;
}

const SIGNIFICANT = 1000;
/** RISK-13: the decisions that a percentile needs. */
const DECISIONS_MIN = 100;
const PERCENTILE = 0.99;

export function createAmountSketch(): AmountSketch {
  return { counts: new Map(), total: 0 };
}

/** The bucket of an amount: the amount rounded up to three significant digits. */
export function amountBucketMax(amountMinor: number): number {
  let unit = 1;
  while (amountMinor / unit >= SIGNIFICANT) unit *= 10;
  return Math.ceil(amountMinor / unit) * unit;
}

export function addAmount(sketch: AmountSketch, amountMinor: number, count = 1): void {
  const bucket = amountBucketMax(amountMinor);
  sketch.counts.set(bucket, (sketch.counts.get(bucket) ?? 0) + count);
  sketch.total += count;
}

/** The 99th percentile by nearest rank, in minor units. Null below DECISIONS_MIN decisions. */
export function normalAmountMax(sketch: AmountSketch): number | null {
  if (sketch.total < DECISIONS_MIN) return null;
  const rank = Math.ceil(sketch.total * PERCENTILE);
  let cumulativeCount = 0;
  for (const bucket of [...sketch.counts.keys()].toSorted((a, b) => a - b)) {
    cumulativeCount += sketch.counts.get(bucket) ?? 0;
    if (cumulativeCount >= rank) return bucket;
  }
  return null;
}

/** The stored form of a sketch. */
export type AmountCounts = readonly (readonly [bucket: number, count: number])[];

export function toCounts(sketch: AmountSketch): AmountCounts {
  return [...sketch.counts];
}

export function addCounts(into: AmountSketch, counts: AmountCounts): void {
  for (const [bucket, count] of counts) addAmount(into, bucket, count);
}
