import { ByteRange } from "../../platform/bytes/byte-range.js";

/** A group of health snapshots that decisions of the same or later batches used. */
export interface HealthGroupRecord {
  /** The first 16 bytes of the SHA-256 of `content`. */
  readonly hash: Buffer;
  /** The JSON that `writeHealth` of path/document/decision-document.ts returned. */
  readonly content: string;
}

/** A record as the writer reads it: views into the batch's bytes. Do not use them after the bytes are reused. */
export interface HealthGroupView {
  hash: ByteRange;
  /** UTF-8. */
  content: ByteRange;
}

/** Layout: hash 16 · content to the end of the record. */
const HASH_BYTES = 16;

/** An upper bound of the bytes that `writeHealthGroup` writes. */
export function healthGroupBytesMax({ content }: HealthGroupRecord): number {
  return HASH_BYTES + 3 * content.length;
}

/** Writes the record at `offset`. Returns the offset after it. */
export function writeHealthGroup(
  { hash, content }: HealthGroupRecord,
  target: Buffer,
  offset: number,
): number {
  hash.copy(target, offset, 0, HASH_BYTES);
  return offset + HASH_BYTES + target.write(content, offset + HASH_BYTES, "utf8");
}

export function readHealthGroup(source: Buffer, offset: number, end: number): HealthGroupView {
  return {
    hash: new ByteRange(source, offset, offset + HASH_BYTES),
    content: new ByteRange(source, offset + HASH_BYTES, end),
  };
}
