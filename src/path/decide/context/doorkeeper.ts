/**
 * The hashes per bucket, the newest first. With one hash per bucket, two hashes that alternate would evict each other.
 */
const WAYS = 4;

/**
 * Remembers recent requests by their hashes, in a table of fixed size (the doorkeeper of TinyLFU, Einziger and others,
 * 2017). A cache with a doorkeeper admits only items that are asked for a second time. An item asked for only once is
 * freed while it is young, which costs the garbage collector nothing. A cached item that is evicted later becomes
 * garbage in the old generation of the heap.
 */
export class Doorkeeper {
  readonly #hashes: Int32Array;
  readonly #buckets: number;

  /**
   * `hashes` must be a power of two, and at most the number of items that the cache can hold. With more hashes, the
   * cache would admit items that it must evict before their next use.
   */
  constructor(hashes: number) {
    this.#hashes = new Int32Array(hashes);
    this.#buckets = hashes / WAYS;
  }

  /** Returns whether this 32-bit hash was asked for before, and not too many other hashes since. */
  isBack(hash: number): boolean {
    const bucket = (hash ^ (hash >>> 16)) & (this.#buckets - 1);
    const newest = bucket * WAYS;
    // 0 marks a free place, so 1 stands for the hash 0.
    const mark = hash | 0 || 1;
    for (let at = newest; at < newest + WAYS; at++) if (this.#hashes[at] === mark) return true;
    this.#hashes.copyWithin(newest + 1, newest, newest + WAYS - 1);
    this.#hashes[newest] = mark;
    return false;
  }
}
