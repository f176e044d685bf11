/** LOG-8: the values of `amount_bucket`. `from` is in minor units and belongs to the bucket. */
const BUCKETS = [
  { from: 500_000, name: "gte_500k" },
  { from: 100_000, name: "100k_500k" },
  { from: 50_000, name: "50k_100k" },
  { from: 10_000, name: "10k_50k" },
  { from: 5_000, name: "5k_10k" },
  { from: 1_000, name: "1k_5k" },
] as const;

export type AmountBucket = (typeof BUCKETS)[number]["name"] | "lt_1k";

export function amountBucket(amountMinor: number): AmountBucket {
  return BUCKETS.find(({ from }) => amountMinor >= from)?.name ?? "lt_1k";
}
