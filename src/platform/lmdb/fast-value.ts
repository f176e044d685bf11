/**
 * Returns the result of lmdb-js's `getBinaryFast` as a Buffer of the right length, without a copy. Small values share
 * a buffer whose `length` lmdb-js sets. Values over 16 KiB are the database's pages themselves. The result is valid
 * until the next read, and only inside Journal's `reading`.
 */
export function exactly(shared: Uint8Array): Buffer {
  return Buffer.from(shared.buffer, shared.byteOffset, shared.length);
}
