/** lmdb-js reads into one buffer, larger than the value, whose `length` it sets: `set` and `slice` would not heed that. */
export function exactly(shared: Buffer): Buffer {
  return shared.subarray(0, shared.length);
}
