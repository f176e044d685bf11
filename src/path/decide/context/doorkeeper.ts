/**
 * The number of hashes in one bucket, the newest first. With a single one, two hashes that alternate would evict each
 * other.
 */
const WAYS = 4;

/**
 * Remembers recent requests by their hashes, in a table of fixed size (the doorkeeper of TinyLFU, Einziger and others,
 * 2017). A cache with a doorkeeper holds only items that are asked for again. An item asked for once is freed while
 * young, which costs the garbage collector nothing. An item that is cached and evicted later becomes garbage in the old
 * generation of the heap.
 */
export class Doorkeeper {
  readonly #hashes: Int32Array;
  readonly #buckets: number;

  /**
   * `hashes` is a power of two, and at most the number of items that the cache can hold. With more hashes it would
   * admit items that the cache could not hold until their next use.
   */
  constructor(hashes: number) {
    this.#hashes = new Int32Array(hashes);
    this.#buckets = hashes / WAYS;
  }

  /** Returns whether the same 32-bit hash was asked for before, without too many others since then. */
  isBack(hash: number): boolean {
    const bucket = (hash ^ (hash >>> 16)) & (this.#buckets - 1);
    const newest = bucket * WAYS;
    // 0 marks a free place.
    const mark = hash | 0 || 1;
    for (let at = newest; at < newest + WAYS; at++) if (this.#hashes[at] === mark) return true;
    this.#hashes.copyWithin(newest + 1, newest, newest + WAYS - 1);
    this.#hashes[newest] = mark;
    return false;
  }
}
