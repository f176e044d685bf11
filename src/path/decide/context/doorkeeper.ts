/** Hashes that stand in one bucket, the newest first: with one alone, two that take turns would drive each other out. */
const WAYS = 4;

/**
 * Knows what was asked for lately, by hashes in a table of fixed size (the doorkeeper of TinyLFU, Einziger and others,
 * 2017). A cache takes in what comes back. What comes once dies young, which costs a garbage collector nothing: kept for a
 * while and then let go of, it would fill the old generation of the heap with garbage.
 */
export class Doorkeeper {
  readonly #hashes: Int32Array;
  readonly #buckets: number;

  /** `hashes`: a power of two, no more than the cache has room for: what came back later would have been let go of. */
  constructor(hashes: number) {
    this.#hashes = new Int32Array(hashes);
    this.#buckets = hashes / WAYS;
  }

  /** Whether the same 32-bit hash was asked for before, and not too many others since. */
  isBack(hash: number): boolean {
    const bucket = (hash ^ (hash >>> 16)) & (this.#buckets - 1);
    const newest = bucket * WAYS;
    // 0 is a place that is free.
    const mark = hash | 0 || 1;
    for (let at = newest; at < newest + WAYS; at++) if (this.#hashes[at] === mark) return true;
    this.#hashes.copyWithin(newest + 1, newest, newest + WAYS - 1);
    this.#hashes[newest] = mark;
    return false;
  }
}
