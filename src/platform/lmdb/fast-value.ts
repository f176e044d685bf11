/**
 * Returns the result of lmdb-js's `getBinaryFast` as a Buffer of the right length, without a copy. For small values,
 * lmdb-js reuses one buffer and sets its `length`. Values over 16 KiB are memory of the database itself. Use the result
 * only until the next read, and only inside the journal's `reading`.
 */
export function exactly(shared: Uint8Array): Buffer {
  return Buffer.from(shared.buffer, shared.byteOffset, shared.length);
}
