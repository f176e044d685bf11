import { decodeSegment } from "../writer/copy/decision-batch.js";
import type { CopiedRows } from "./copy-out.js";

const [TAB, NEW_LINE] = [0x09, 0x0a];
const SEGMENT_ID_BYTES = 36;

/**
 * The rows of one document block: where each line begins and ends in the bytes, and where its document is in the block.
 */
interface SegmentRows {
  begins: number[];
  ends: number[];
  offsets: number[];
  lengths: number[];
  /** The end of the last document in the block. */
  docsBytes: number;
}

/**
 * Replaces the last three cells of each line by the decision's document. These cells are the block's id, and the
 * document's offset and length in the block in bytes. One block is decoded at a time. Documents stay bytes, because a
 * conversion to text would add half to the time. The result is in `room`, and the next call overwrites it.
 */
export function withDocuments(
  lines: Buffer,
  segments: ReadonlyMap<string, Buffer>,
  room: LineRoom,
): CopiedRows {
  room.clear();
  let rows = 0;
  for (const [segmentId, { begins, ends, offsets, lengths, docsBytes }] of bySegment(lines)) {
    const packed = segments.get(segmentId);
    // Retention may drop a week between the two reads. The rows of that week are then no longer needed.
    if (packed === undefined) continue;
    const docs = decodeSegment(packed, docsBytes);
    const isPlain = isPlainBytes(docs);
    for (const [i, begin] of begins.entries()) {
      const [offset, length] = [offsets[i] as number, lengths[i] as number];
      room.add(lines, begin, ends[i]);
      if (isPlain) room.add(docs, offset, offset + length);
      else room.add(escaped(docs.subarray(offset, offset + length)));
      room.addByte(NEW_LINE);
      rows++;
    }
  }
  return { rows, bytes: room.bytes() };
}

function bySegment(lines: Buffer): Map<string, SegmentRows> {
  const groups = new Map<string, SegmentRows>();
  for (let begin = 0; begin < lines.length;) {
    const end = lines.indexOf(NEW_LINE, begin);
    const lengthAt = lines.lastIndexOf(TAB, end) + 1;
    const offsetAt = lines.lastIndexOf(TAB, lengthAt - 2) + 1;
    const idAt = offsetAt - 1 - SEGMENT_ID_BYTES;
    const segmentId = lines.toString("latin1", idAt, offsetAt - 1);
    let group = groups.get(segmentId);
    if (group === undefined) {
      group = { begins: [], ends: [], offsets: [], lengths: [], docsBytes: 0 };
      groups.set(segmentId, group);
    }
    group.begins.push(begin);
    group.ends.push(idAt);
    const [offset, length] = [integer(lines, offsetAt, lengthAt - 1), integer(lines, lengthAt, end)];
    group.offsets.push(offset);
    group.lengths.push(length);
    group.docsBytes = Math.max(group.docsBytes, offset + length);
    begin = end + 1;
  }
  return groups;
}

const ZERO = 0x30;

/** Parses a natural number in decimal digits. */
function integer(bytes: Buffer, begin: number, end: number): number {
  let value = 0;
  for (let at = begin; at < end; at++) value = value * 10 + (bytes[at] as number) - ZERO;
  return value;
}

const FIRST_BYTES = 1 << 20;

/**
 * Memory for the lines of an insert, which the next insert reuses. New memory for each insert would cost twice: the
 * kernel clears it, and the garbage collector runs because of it.
 */
export class LineRoom {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  add(source: Buffer, begin = 0, end = source.length): void {
    this.#reserve(end - begin);
    this.#length += source.copy(this.#bytes, this.#length, begin, end);
  }

  addByte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Returns what was added. After `clear` the bytes are overwritten. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "\0": "\\0",
  "\b": "\\b",
  "\f": "\\f",
};
const ESCAPED = /[\\\t\n\r\0\b\f]/g;

/** Escapes a text for a cell in ClickHouse's format TabSeparated. */
export function escaped(text: Buffer): Buffer {
  return Buffer.from(text.toString().replaceAll(ESCAPED, (char) => ESCAPES[char] as string));
}

const ESCAPED_BYTES = Object.keys(ESCAPES).map((char) => char.charCodeAt(0));

/** True if UTF-8 bytes need no escapes in a cell. The native search takes 0.1 µs per document. */
export function isPlainBytes(bytes: Buffer): boolean {
  return ESCAPED_BYTES.every((byte) => !bytes.includes(byte));
}
