/**
 * The counts of many facets as bytes. A counter has a section if its count is not zero for some facet. A section has
 * the counter's position (one byte), the length of its rest (four bytes, little-endian), and two numbers for each such
 * facet, by ascending id. The two numbers are the distance from the previous facet's id, and the count. Both are
 * variable-length integers of seven bits a byte, the lowest bits first. A count may be negative until the deltas of the
 * same decisions are folded, so it is stored in zigzag form.
 */

const HEAD_BYTES = 5;
/** A distance has at most 5 bytes. A count of up to 2^53 has at most 8. */
const ENTRY_BYTES_MAX = 13;

/** The numbers to add to a block, by counter and then by facet. */
export type FacetAdditions = ReadonlyMap<number, ReadonlyMap<number, number>>;

export type VisitCount = (counter: number, facetId: number, count: number) => void;

/** Calls `visit` for each count, by counter and then by ascending facet id. */
export function eachCount(block: Uint8Array, visit: VisitCount): void {
  for (let at = 0; at < block.length;) {
    const counts = new SectionReader(block, at);
    while (counts.next()) visit(counts.counter, counts.facetId, counts.count);
    at = counts.end;
  }
}

/** Reads the counts of one counter. */
class SectionReader {
  readonly counter: number;
  /** The offset at which the section ends. */
  readonly end: number;
  facetId = 0;
  count = 0;
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#at = start + HEAD_BYTES;
    this.counter = bytes[start] as number;
    let length = 0;
    for (let byte = HEAD_BYTES - 1; byte > 0; byte--) length = length * 256 + (bytes[start + byte] as number);
    this.end = this.#at + length;
  }

  /** Moves to the next count. Returns false at the end. */
  next(): boolean {
    if (this.#at >= this.end) return false;
    this.facetId += this.#integer();
    const stored = this.#integer();
    this.count = stored % 2 === 0 ? stored / 2 : -(stored + 1) / 2;
    return true;
  }

  #integer(): number {
    let byte = this.#bytes[this.#at++] as number;
    let value = byte & 127;
    for (let scale = 128; byte > 127; scale *= 128) {
      byte = this.#bytes[this.#at++] as number;
      value += (byte & 127) * scale;
    }
    return value;
  }
}

/** Returns the facet block with the additions. Counts that become zero are left out. */
export function addToBlock(block: Uint8Array, additions: FacetAdditions): Buffer {
  const sections: Uint8Array[] = [];
  const left = new Map(additions);
  for (let at = 0; at < block.length;) {
    const counts = new SectionReader(block, at);
    const added = left.get(counts.counter);
    left.delete(counts.counter);
    sections.push(added === undefined ? block.subarray(at, counts.end) : mergedSection(counts, at, added));
    at = counts.end;
  }
  for (const [counter, added] of left) sections.push(newSection(counter, added));
  return Buffer.concat(sections);
}

function mergedSection(counts: SectionReader, start: number, added: ReadonlyMap<number, number>): Buffer {
  const facetIds = Int32Array.from(added.keys()).toSorted();
  const writer = new SectionWriter(counts.counter, counts.end - start, 2 * facetIds.length);
  let at = 0;
  for (let more = counts.next(); more || at < facetIds.length;) {
    const facetId = facetIds[at] ?? Number.POSITIVE_INFINITY;
    if (more && counts.facetId < facetId) writer.write(counts.facetId, counts.count);
    else {
      const before = more && counts.facetId === facetId ? counts.count : 0;
      writer.write(facetId, before + (added.get(facetId) as number));
    }
    const isRead = more && counts.facetId <= facetId;
    if (!more || facetId <= counts.facetId) at++;
    if (isRead) more = counts.next();
  }
  return writer.end();
}

function newSection(counter: number, added: ReadonlyMap<number, number>): Buffer {
  const writer = new SectionWriter(counter, 0, added.size);
  for (const facetId of Int32Array.from(added.keys()).toSorted()) {
    writer.write(facetId, added.get(facetId) as number);
  }
  return writer.end();
}

/** Writes the counts of one counter, by ascending facet id. */
class SectionWriter {
  readonly #bytes: Buffer;
  #at = HEAD_BYTES;
  #last = 0;

  /** Allocates memory for at most `entries` new counts, and for existing counts of `bytes` in total. */
  constructor(counter: number, bytes: number, entries: number) {
    this.#bytes = Buffer.allocUnsafe(HEAD_BYTES + bytes + entries * ENTRY_BYTES_MAX);
    this.#bytes[0] = counter;
  }

  write(facetId: number, count: number): void {
    if (count === 0) return;
    this.#integer(facetId - this.#last);
    this.#integer(count >= 0 ? 2 * count : -2 * count - 1);
    this.#last = facetId;
  }

  #integer(value: number): void {
    let left = value;
    while (left > 127) {
      this.#bytes[this.#at++] = (left % 128) + 128;
      left = Math.floor(left / 128);
    }
    this.#bytes[this.#at++] = left;
  }

  /** Returns the section. It is empty if every count was zero. */
  end(): Buffer {
    if (this.#at === HEAD_BYTES) return this.#bytes.subarray(0, 0);
    this.#bytes.writeUInt32LE(this.#at - HEAD_BYTES, 1);
    return this.#bytes.subarray(0, this.#at);
  }
}
