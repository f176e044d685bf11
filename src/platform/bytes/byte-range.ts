/**
 * A part of a buffer. `subarray` would do the same, but takes ten times as long. A row of the journal has eight parts.
 */
export class ByteRange {
  constructor(
    readonly source: Buffer,
    readonly start: number,
    readonly end: number,
  ) {}

  /** A range over the whole buffer. */
  static of(source: Buffer): ByteRange {
    return new ByteRange(source, 0, source.length);
  }

  get length(): number {
    return this.end - this.start;
  }

  /** Copies the bytes to `target` at `at`; returns the offset after them. */
  copyTo(target: Uint8Array, at: number): number {
    const { source, start, end } = this;
    // For short ranges, a loop costs less than the call into the runtime.
    if (end - start > SHORT_BYTES_MAX) return at + source.copy(target, at, start, end);
    let to = at;
    for (let from = start; from < end; from++) target[to++] = source[from] as number;
    return to;
  }

  equals(other: ByteRange): boolean {
    if (this.length !== other.length) return false;
    const shift = other.start - this.start;
    for (let at = this.start; at < this.end; at++) {
      if (this.source[at] !== other.source[at + shift]) return false;
    }
    return true;
  }

  /** The bytes as UTF-8 text, or in another encoding. */
  toString(encoding: "utf8" | "latin1" | "hex" = "utf8"): string {
    return this.source.toString(encoding, this.start, this.end);
  }
}

const SHORT_BYTES_MAX = 40;
