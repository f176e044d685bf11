/** Returns a fraction 0..1, or null if `whole` is 0 (AGG-3). */
export function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/**
 * Returns the names with a count above zero, in descending order of count. Names with equal counts keep their order.
 */
export function presentCounts<K extends string>(
  names: readonly K[],
  counts: Readonly<Record<K, number>>,
): { name: K; count: number }[] {
  return names
    .map((name) => ({ name, count: counts[name] }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
}

/**
 * Returns the nearest-rank percentile of a distribution, which maps a value to its count. Null if it is empty.
 * `fraction` is in (0, 1].
 */
export function percentile(distribution: ReadonlyMap<number, number>, fraction: number): number | null {
  const values = Array.from(distribution).toSorted(([a], [b]) => a - b);
  const total = values.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.ceil(fraction * total);
  let cumulativeCount = 0;
  for (const [value, count] of values) {
    cumulativeCount += count;
    if (cumulativeCount >= rank) return value;
  }
  return null;
}
