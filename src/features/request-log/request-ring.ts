import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { UnwrittenId } from "../../domain/ids/ids.js";
import { idFromHex, ID_CHARS, writeIdBytes } from "../../domain/ids/ids.js";
import { REQUEST_ID_PREFIX } from "../../platform/http/common-headers.js";

/** A new ring has room for this many rows. It grows to `LIMITS.requestLogRowsMax`, but most rings stay small. */
const FIRST_ROWS = 16;
const GROWTH = 4;

/*
 * A row has 256 bytes: three doubles, six 16-bit words, the key's id, the request id and the issue's path. No object or
 * string lives as long as the row, so the log adds no work for the garbage collector.
 */
const ROW_BYTES = 256;
/** The bytes of a ring with its first row. */
export const FIRST_BYTES = FIRST_ROWS * ROW_BYTES;
const ROW_DOUBLES = ROW_BYTES / 8;
const ROW_WORDS = ROW_BYTES / 2;
const SEQUENCE = 0;
const ANSWERED_AT = 1;
const DURATION = 2;
const ROUTE = 12;
const STATUS = 13;
const ERROR = 14;
const ISSUE = 15;
const REQUEST_ID_CHARS = 16;
const PATH_BYTES = 17;
const KEY_AT = 40;
const KEY_BYTES = 16;
const REQUEST_ID_AT = KEY_AT + KEY_BYTES;
const PATH_AT = REQUEST_ID_AT + LIMITS.requestIdCharsMax;
const PATH_BYTES_MAX = ROW_BYTES - PATH_AT;

/** An answered request, in the form in which it is recorded. */
export interface NotedRequest {
  /** Counts the requests of the node. */
  sequence: number;
  /** Unix milliseconds, whole. */
  answeredAtMs: number;
  durationMs: number;
  /** The log's number of the route. */
  route: number;
  status: number;
  /** Positions in the log's lists, from 1. 0 means none. */
  error: number;
  issue: number;
  issuePath: string;
  /** `key_…` */
  keyId: string;
  /** The caller's own request id. If it is undefined, the row gets `ownId`. */
  requestId: string | undefined;
  ownId: UnwrittenId;
}

/** A row, in the form in which it is read. */
export interface RequestRow extends Omit<NotedRequest, "requestId" | "ownId"> {
  requestId: string;
}

/** The last requests of one workspace and mode, at most `rowsMax` of them. */
export class RequestRing {
  private bytes: Buffer = Buffer.alloc(0);
  private doubles = new Float64Array(0);
  private words = new Uint16Array(0);
  private capacity = 0;
  private written = 0;
  constructor(private readonly rowsMax: number) {}

  /** The number of bytes by which the next `add` enlarges the ring. */
  get growthBytes(): number {
    const isFull = this.written === this.capacity && this.capacity < this.rowsMax;
    return isFull ? (this.nextCapacity() - this.capacity) * ROW_BYTES : 0;
  }

  get sizeBytes(): number {
    return this.bytes.length;
  }

  /** Forgets the rows and keeps the memory. Rows that were not written since then are never read. */
  emptied(): this {
    this.written = 0;
    return this;
  }

  add(request: NotedRequest): void {
    if (this.growthBytes > 0) this.grow();
    const row = this.written++ % this.capacity;
    const at = row * ROW_BYTES;
    const { bytes, doubles, words } = this;
    const double = row * ROW_DOUBLES;
    const word = row * ROW_WORDS;
    doubles[double + SEQUENCE] = request.sequence;
    doubles[double + ANSWERED_AT] = request.answeredAtMs;
    doubles[double + DURATION] = request.durationMs;
    words[word + ROUTE] = request.route;
    words[word + STATUS] = request.status;
    words[word + ERROR] = request.error;
    words[word + ISSUE] = request.issue;
    writeIdBytes(request.keyId, bytes, at + KEY_AT);
    const { requestId, issuePath } = request;
    // The service's own ids are marked by a length of 0.
    words[word + REQUEST_ID_CHARS] = requestId === undefined ? 0 : requestId.length;
    if (requestId === undefined) request.ownId.writeTo(bytes, at + REQUEST_ID_AT);
    else bytes.write(requestId, at + REQUEST_ID_AT, LIMITS.requestIdCharsMax, "latin1");
    words[word + PATH_BYTES] =
      issuePath === "" ? 0 : bytes.write(issuePath, at + PATH_AT, PATH_BYTES_MAX, "utf8");
  }

  /** The rows that are kept, newest first. */
  *newestFirst(): Generator<RequestRow> {
    const kept = Math.min(this.written, this.capacity);
    for (let back = 1; back <= kept; back++) yield this.read((this.written - back) % this.capacity);
  }

  private read(row: number): RequestRow {
    const { bytes, doubles, words } = this;
    const at = row * ROW_BYTES;
    const number = (field: number): number => doubles[row * ROW_DOUBLES + field] as number;
    const word = (field: number): number => words[row * ROW_WORDS + field] as number;
    const text = (from: number, length: number): string => bytes.toString("utf8", from, from + length);
    const idAt = at + REQUEST_ID_AT;
    return {
      sequence: number(SEQUENCE),
      answeredAtMs: number(ANSWERED_AT),
      durationMs: number(DURATION),
      route: word(ROUTE),
      status: word(STATUS),
      error: word(ERROR),
      issue: word(ISSUE),
      issuePath: text(at + PATH_AT, word(PATH_BYTES)),
      keyId: idFromHex("key", bytes.toString("hex", at + KEY_AT, at + KEY_AT + KEY_BYTES)),
      requestId:
        word(REQUEST_ID_CHARS) === 0
          ? REQUEST_ID_PREFIX + text(idAt, ID_CHARS)
          : text(idAt, word(REQUEST_ID_CHARS)),
    };
  }

  private nextCapacity(): number {
    return Math.min(this.rowsMax, Math.max(FIRST_ROWS, this.capacity * GROWTH));
  }

  /** A ring overwrites rows only at its full size, so the rows of a smaller ring are in order. */
  private grow(): void {
    const before = this.bytes;
    this.capacity = this.nextCapacity();
    const memory = new ArrayBuffer(this.capacity * ROW_BYTES);
    this.bytes = Buffer.from(memory);
    this.doubles = new Float64Array(memory);
    this.words = new Uint16Array(memory);
    before.copy(this.bytes);
  }
}
