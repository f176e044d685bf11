/**
 * A Map whose keys are bytes, for those who would make strings of them for each look-up alone: with four of them, counting
 * a row's amount took 0.5 µs and more, with this 0.2.
 */
export class ByteKeyedMap<Value> {
  readonly #byHash = new Map<number, { key: Uint8Array; value: Value }[]>();

  /** The key is the first `length` bytes of `bytes`. */
  get(bytes: Uint8Array, length: number): Value | undefined {
    const entries = this.#byHash.get(hashOf(bytes, length));
    if (entries === undefined) return undefined;
    for (const { key, value } of entries) if (isKey(key, bytes, length)) return value;
    return undefined;
  }

  /** To be called for keys that are not there yet. */
  add(bytes: Uint8Array, length: number, value: Value): void {
    const hash = hashOf(bytes, length);
    const entry = { key: bytes.slice(0, length), value };
    const entries = this.#byHash.get(hash);
    if (entries === undefined) this.#byHash.set(hash, [entry]);
    else entries.push(entry);
  }
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash;
}

function isKey(key: Uint8Array, bytes: Uint8Array, length: number): boolean {
  if (key.length !== length) return false;
  for (let at = 0; at < length; at++) if (key[at] !== bytes[at]) return false;
  return true;
}
