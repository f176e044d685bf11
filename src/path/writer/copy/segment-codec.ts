import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { ByteRange } from "../../../platform/bytes/byte-range.js";

/**
 * Quality 0 is the cheapest compression in Node. It takes 2.3 µs a document and leaves a seventh of the size. Deflate
 * level 1 takes 5 µs, and pglz in the server 14 µs (docs/performance-log.md, 0024).
 */
const OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_LGWIN]: 18 } };
/** Far above a document block's size: SEGMENT_ROWS_MAX documents, each much smaller than a megabyte. */
const SEGMENT_BYTES_MAX = 256 * 1024 ** 2;

/** Compresses document blocks one after another. The memory is reused for each block. */
export class SegmentEncoder {
  #docs = Buffer.allocUnsafeSlow(1 << 18);

  /** Compresses `docs` without gaps between them. `totalBytes` is the sum of their lengths. */
  encode(docs: readonly (ByteRange | Uint8Array)[], totalBytes: number): Uint8Array {
    if (totalBytes > this.#docs.length) this.#docs = Buffer.allocUnsafeSlow(2 * totalBytes);
    let at = 0;
    for (const doc of docs) {
      if (doc instanceof ByteRange) at = doc.copyTo(this.#docs, at);
      else {
        this.#docs.set(doc, at);
        at += doc.length;
      }
    }
    return brotliCompressSync(this.#docs.subarray(0, totalBytes), OPTIONS);
  }
}

/** The smallest piece that zlib accepts. */
const PIECE_BYTES_MIN = 64;
/** Node's default. */
const PIECE_BYTES = 16 * 1024;

/**
 * Returns the documents of a block, without gaps between them. It decompresses in the calling thread, because handing a
 * small block to libuv's threads would take longer. If `docsBytes` is where the last document ends, the result needs no
 * extra copy.
 */
export function decodeSegment(bytes: Uint8Array, docsBytes = PIECE_BYTES - 1): Buffer {
  return brotliDecompressSync(bytes, {
    maxOutputLength: SEGMENT_BYTES_MAX,
    // One more byte than the documents, because a chunk that is exactly full would be followed by an empty one.
    chunkSize: Math.max(PIECE_BYTES_MIN, docsBytes + 1),
  });
}

/** Marks an erased document. A document is JSON, so it never consists of blanks only. */
const BLANK = 0x20;

/**
 * RET-20: overwrites some documents of a block with blanks. The other documents keep their places. Returns null if no
 * document is left, so that the block itself can be deleted. `places` are in bytes of the uncompressed block.
 */
export function blankDocuments(
  packed: Uint8Array,
  places: readonly (readonly [offset: number, bytes: number])[],
): Buffer | null {
  const docs = decodeSegment(packed);
  for (const [offset, bytes] of places) docs.fill(BLANK, offset, offset + bytes);
  return docs.every((byte) => byte === BLANK) ? null : brotliCompressSync(docs, OPTIONS);
}
