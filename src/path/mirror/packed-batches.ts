import { compressSync, uncompressSync } from "lz4-napi";
import type { JournalEntry } from "../journal/journal.js";

/** One entry of the stream. */
export interface MirrorEntry {
  /** The sequence of its last record. */
  through: number;
  /**
   * Its batches in one block of LZ4: for each batch its sequence u48, its length u32, and its bytes. Decisions resemble
   * each other, so 30 of them take a fifth of their bytes in the network, in the cache's memory and in its file.
   */
  packed: Buffer;
}

const HEADER_BYTES = 10;
const LENGTH_AT = 6;

/** Memory in which batches are put together, since the block is made from one piece. */
let scratch = Buffer.alloc(0);

/** Packs one or more batches, the oldest first. */
export function packBatches(entries: readonly [JournalEntry, ...JournalEntry[]]): MirrorEntry {
  const size = entries.reduce((sum, { batch }) => sum + HEADER_BYTES + batch.length, 0);
  if (size > scratch.length) scratch = Buffer.allocUnsafeSlow(2 * size);
  let at = 0;
  for (const { sequence, batch } of entries) {
    scratch.writeUIntBE(sequence, at, LENGTH_AT);
    scratch.writeUInt32BE(batch.length, at + LENGTH_AT);
    at += HEADER_BYTES + batch.copy(scratch, at + HEADER_BYTES);
  }
  const { sequence: through } = entries.at(-1) ?? entries[0];
  return { through, packed: compressSync(scratch.subarray(0, at)) };
}

/** Throws if `packed` was not made by `packBatches`. */
export function unpackBatches(packed: Buffer): JournalEntry[] {
  const bytes = uncompressSync(packed);
  const entries: JournalEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + HEADER_BYTES;
    const end = start + bytes.readUInt32BE(at + LENGTH_AT);
    if (end > bytes.length) throw new RangeError("a batch of the mirror is cut off");
    entries.push({ sequence: bytes.readUIntBE(at, LENGTH_AT), batch: bytes.subarray(start, end) });
    at = end;
  }
  return entries;
}
