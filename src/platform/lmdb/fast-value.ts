/**
 * The result of lmdb-js's `getBinaryFast` as a Buffer of its own length, without a copy. Small values are in a buffer
 * that lmdb-js reuses and whose `length` it sets. Values over 16 KiB are the pages themselves. The result is valid
 * until the next read, and only inside Journal's `reading`.
 */
export function exactly(shared: Uint8Array): Buffer {
  return Buffer.from(shared.buffer, shared.byteOffset, shared.length);
}
