/**
 * What lmdb-js's `getBinaryFast` returned, as a Buffer of its own length and without a copy. Small values are in one
 * buffer that lmdb-js uses again and whose `length` it sets; those over 16 KiB are the pages themselves. Valid until the
 * next read, and only inside Journal's `reading`.
 */
export function exactly(shared: Uint8Array): Buffer {
  return Buffer.from(shared.buffer, shared.byteOffset, shared.length);
}
