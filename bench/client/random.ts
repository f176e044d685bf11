/** A seeded source of numbers in [0, 1): the same seed gives the same traffic on every machine. */
export interface Random {
  next(): number;
  /** An integer in [from, to]. */
  integer(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Item `i` with probability weights[i] / sum(weights). */
  weighted<T>(items: readonly T[], weights: readonly number[]): T;
}

/** mulberry32 (Tommy Ettinger, public domain): 32 bits of state, enough for traffic, not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(list: readonly T[]): T => {
    const item = list[Math.floor(next() * list.length)];
    if (item === undefined) throw new RangeError("pick needs a non-empty list");
    return item;
  };
  return {
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick,
    weighted(items, weights) {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0);
      for (const [index, item] of items.entries()) {
        left -= weights[index] ?? 0;
        if (left < 0) return item;
      }
      return pick(items);
    },
  };
}
