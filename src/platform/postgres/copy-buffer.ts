import type { ByteRange } from "../bytes/byte-range.js";
import { writeIdBytes } from "../../domain/ids/ids.js";

/**
 * Builds the bytes of one `COPY … FROM STDIN (FORMAT binary)`. The buffer is reused for each batch, so no row allocates
 * memory. Format: https://www.postgresql.org/docs/18/sql-copy.html, "Binary Format".
 */
export class CopyBuffer {
  #bytes: Buffer;
  #view: DataView;
  #at = 0;

  constructor(initialBytes = 1 << 16) {
    this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
    this.#view = viewOf(this.#bytes);
  }

  /** Drops the last batch and writes the header. */
  begin(): void {
    this.#at = SIGNATURE.copy(this.#bytes);
  }

  /** Starts a row. Its fields must take at most `bytesMax` bytes in total, including their lengths. */
  row(fieldCount: number, bytesMax: number): void {
    this.#reserve(bytesMax + 2);
    this.#view.setInt16(this.#at, fieldCount);
    this.#at += 2;
  }

  null(): void {
    this.#view.setInt32(this.#at, -1);
    this.#at += 4;
  }

  /** smallint */
  int2(value: number): void {
    this.#view.setInt32(this.#at, 2);
    this.#view.setInt16(this.#at + 4, value);
    this.#at += 6;
  }

  /** integer */
  int4(value: number): void {
    this.#view.setInt32(this.#at, 4);
    this.#view.setInt32(this.#at + 4, value);
    this.#at += 8;
  }

  /** bigint. The value must be a safe integer. */
  int8(value: number): void {
    const high = Math.floor(value / 2 ** 32);
    this.#view.setInt32(this.#at, 8);
    this.#view.setInt32(this.#at + 4, high);
    this.#view.setUint32(this.#at + 8, value - high * 2 ** 32);
    this.#at += 12;
  }

  /** uuid: the 128 bits of one of our ids, given as its text or its 16 bytes. */
  id(id: string | ByteRange): void {
    this.#view.setInt32(this.#at, 16);
    if (typeof id === "string") writeIdBytes(id, this.#bytes, this.#at + 4);
    else id.copyTo(this.#bytes, this.#at + 4);
    this.#at += 20;
  }

  /** text. A string takes at most 3 bytes per UTF-16 unit. Bytes must be UTF-8. */
  text(value: string | ByteRange): void {
    const start = this.#at + 4;
    const end =
      typeof value === "string" ? start + this.#writeText(value, start) : value.copyTo(this.#bytes, start);
    this.#view.setInt32(this.#at, end - start);
    this.#at = end;
  }

  /** bytea */
  bytes(value: Uint8Array): void {
    this.#view.setInt32(this.#at, value.length);
    this.#bytes.set(value, this.#at + 4);
    this.#at += 4 + value.length;
  }

  /** integer[] */
  int4Array(values: Int32Array | readonly number[]): void {
    const start = this.#beginArray(values.length, INT4_OID);
    for (const value of values) this.int4(value);
    this.#view.setInt32(start - 4, this.#at - start);
  }

  /** text[] */
  textArray(values: readonly (string | ByteRange)[]): void {
    const start = this.#beginArray(values.length, TEXT_OID);
    for (const value of values) this.text(value);
    this.#view.setInt32(start - 4, this.#at - start);
  }

  /**
   * Writes an array's header: one dimension with lower bound 1, and no nulls. An empty array has no dimension. Write
   * the elements as fields afterwards.
   */
  #beginArray(length: number, elementOid: number): number {
    const start = this.#at + 4;
    const header = length === 0 ? [0, 0, elementOid] : [1, 0, elementOid, length, 1];
    for (const [index, value] of header.entries()) this.#view.setInt32(start + 4 * index, value);
    this.#at = start + 4 * header.length;
    return start;
  }

  /** bytea: several parts, concatenated. */
  concatenated(parts: readonly Uint8Array[], totalBytes: number): void {
    this.#view.setInt32(this.#at, totalBytes);
    this.#at += 4;
    for (const part of parts) {
      this.#bytes.set(part, this.#at);
      this.#at += part.length;
    }
  }

  /** Writes the trailer. The result is valid until the next `begin()`. */
  end(): Uint8Array {
    this.#reserve(2);
    this.#view.setInt16(this.#at, -1);
    this.#at += 2;
    return this.#bytes.subarray(0, this.#at);
  }

  /** Order ids are short and nearly always ASCII. For these a loop is faster than a call into the runtime's encoder. */
  #writeText(value: string, start: number): number {
    if (value.length > 48) return this.#bytes.write(value, start, "utf8");
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code > 127) return this.#bytes.write(value, start, "utf8");
      this.#bytes[start + i] = code;
    }
    return value.length;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + bytes));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

/** Type ids of pg_type.dat. All versions of PostgreSQL have the same ones. */
const INT4_OID = 23;
const TEXT_OID = 25;

/** Signature, no flags, no header extension. */
const SIGNATURE = Buffer.from("5047434f50590aff0d0a000000000000000000", "hex");

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
