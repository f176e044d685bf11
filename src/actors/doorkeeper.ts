/**
 * Knows what was asked for lately, by hashes in a table of fixed size (the doorkeeper of TinyLFU, Einziger and others,
 * 2017). A cache takes in what comes back. What comes once dies young, which costs a garbage collector nothing: kept for a
 * while and then let go of, it would fill the old generation of the heap with garbage.
 */
export class Doorkeeper {
  readonly #hashes: Int32Array;

  /** `slots`: a power of two, about as many as the cache has room for. What would have to wait for longer is no hit. */
  constructor(slots: number) {
    this.#hashes = new Int32Array(slots);
  }

  /** Whether the same hash was asked for before, and not too many others since. */
  isBack(hash: number): boolean {
    const slot = (hash ^ (hash >>> 16)) & (this.#hashes.length - 1);
    // A slot is 0 until it is used.
    const mark = hash | 0 || 1;
    if (this.#hashes[slot] === mark) return true;
    this.#hashes[slot] = mark;
    return false;
  }
}
