import pg, { type ClientBase, type Connection } from "pg";
import { writeIdBytes } from "../../domain/ids/ids.js";

/** Bytes of the journal: a ByteRange. */
interface CopiedBytes {
  readonly length: number;
  /** Copies the bytes to `target` at `at`; returns the offset after them. */
  copyTo(target: Uint8Array, at: number): number;
}

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
  id(id: string | CopiedBytes): void {
    this.#view.setInt32(this.#at, 16);
    if (typeof id === "string") writeIdBytes(id, this.#bytes, this.#at + 4);
    else id.copyTo(this.#bytes, this.#at + 4);
    this.#at += 20;
  }

  /** text. A string takes at most 3 bytes per UTF-16 unit. Bytes must be UTF-8. */
  text(value: string | CopiedBytes): void {
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
  textArray(values: readonly (string | CopiedBytes)[]): void {
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

/**
 * One statement of the transaction: plain SQL, or a `COPY … FROM STDIN` with the bytes that it reads. Log only `name`,
 * the table or function of the statement: the statement itself may contain submitted text.
 */
export type TransactionStep = { name: string; sql: string; copyBytes?: Uint8Array };

export interface CopyTransactionOptions {
  /** Called with the name of each step when the server begins it. */
  onStep?(this: void, name: string): void;
  /** `rollback` tests whether PostgreSQL accepts the steps, and changes nothing. */
  end?: "commit" | "rollback";
}

/**
 * Runs `steps` as one transaction in one round trip. All statements are sent as a single simple query. The bytes of
 * every COPY follow immediately, before the server asks for them. If a statement fails, the server skips the rest and
 * ignores copy messages that still arrive ("Message Flow" › "COPY Operations" in the PostgreSQL protocol).
 *
 * Put no user input into `steps`: values must go through COPY. Resolves to the rows of all steps together, as text.
 * Rows with a single column are left out. Rejects with the server's error after a rollback. After a connection error,
 * nobody knows whether the commit happened.
 */
export async function runCopyTransaction(
  client: ClientBase,
  steps: readonly TransactionStep[],
  { onStep = () => undefined, end = "commit" }: CopyTransactionOptions = {},
): Promise<AnsweredRow[]> {
  const all: TransactionStep[] = [BEGIN, ...steps, { name: end, sql: end }];
  const text = all.map((step) => step.sql).join(";\n");
  const copies = steps.flatMap(({ copyBytes }) => (copyBytes === undefined ? [] : [copyBytes]));
  let at = 0;
  const onCompleted = (): void => onStep(all[++at]?.name ?? end);
  onStep(BEGIN.name);
  try {
    return await new Promise<AnsweredRow[]>((resolve, reject) => {
      client.query(new CopyTransaction(text, copies, { resolve, reject, onCompleted }));
    });
  } catch (error) {
    // After an error of the server, a rollback makes the connection usable again. After any other error the connection
    // is broken.
    if (error instanceof pg.DatabaseError) await client.query("rollback");
    throw error;
  }
}

export type AnsweredRow = (string | null)[];

const BEGIN: TransactionStep = { name: "begin", sql: "begin" };

/** The functions that node-postgres calls while this query is active (`Submittable`, and the handlers of `Query`). */
class CopyTransaction {
  /** It must have this name, because node-postgres wraps it to clear its query timeout. */
  callback: (error?: Error | null) => void;
  readonly rows: AnsweredRow[] = [];

  constructor(
    readonly text: string,
    readonly copies: readonly Uint8Array[],
    private readonly handlers: {
      resolve(rows: AnsweredRow[]): void;
      reject(error: Error): void;
      /** Called when the server has completed one more statement. */
      onCompleted(): void;
    },
  ) {
    this.callback = (error) => (error ? handlers.reject(error) : handlers.resolve(this.rows));
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    stream.cork();
    connection.query(this.text);
    for (const bytes of this.copies) {
      const header = Buffer.allocUnsafe(5);
      header[0] = COPY_DATA;
      header.writeInt32BE(bytes.length + 4, 1);
      stream.write(header);
      stream.write(bytes);
      stream.write(COPY_DONE);
    }
    stream.uncork();
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback();
  }

  handleCopyInResponse(): void {}
  handleCommandComplete(): void {
    this.handlers.onCompleted();
  }
  handleRowDescription(): void {}
  handleDataRow({ fields }: { fields: AnsweredRow }): void {
    // A function without a result returns one empty column.
    if (fields.length > 1) this.rows.push(fields);
  }
  handleEmptyQuery(): void {}
}

const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
