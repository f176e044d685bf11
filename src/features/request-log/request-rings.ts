import { tableOf } from "../../domain/vocabulary/table-of.js";
import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";
import type { ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { type UnwrittenId, idFromHex, ID_CHARS, writeIdBytes } from "../../domain/ids/ids.js";
import { REQUEST_ID_PREFIX } from "../../platform/http/request-head.js";

/** A new ring has room for this many rows. It grows to `LIMITS.requestLogRowsMax`, but most rings stay small. */
const FIRST_ROWS = 16;
const GROWTH = 4;

/*
 * A row has 256 bytes: three doubles, six 16-bit words, the key's id, the request id and the issue's path. No object or
 * string lives as long as the row, so the log adds no work for the garbage collector.
 */
const ROW_BYTES = 256;
/** The bytes of a ring with its first row. */
const FIRST_BYTES = FIRST_ROWS * ROW_BYTES;
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
class RequestRing {
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

/** A workspace's ring. All rings form a list in the order of their last use. */
interface Held {
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly ring: RequestRing;
  usedBefore: Held | null;
  usedAfter: Held | null;
}

/**
 * The rings of all workspaces and modes. Together they take at most `bytesMax`, and the least recently used ring is
 * evicted first. A call examines only the rings that it evicts, so the number of workspaces does not matter.
 */
export class RequestRings {
  private readonly rings = tableOf(MODES, () => new Map<string, Held>());
  private usedFirst: Held | null = null;
  private usedLast: Held | null = null;
  private bytes = 0;
  /** Counts the recorded requests of the node. */
  private sequence = 0;
  /** The memory of an evicted small ring. Most new rings begin with the same size. */
  private spare: RequestRing | null = null;

  constructor(
    private readonly rowsMax: number,
    private readonly bytesMax: number,
  ) {}

  get sizeBytes(): number {
    return this.bytes;
  }

  find(workspaceId: string, mode: Mode): RequestRing | undefined {
    return this.rings[mode].get(workspaceId)?.ring;
  }

  /** Makes the function that records each answer of a route. A request with an unknown key is ignored. */
  observerOf(
    route: number,
    now: () => number,
    noteRefusal: (noted: NotedRequest, refusal: ApiError) => void,
  ): (status: number, seconds: number, exchange: Exchange) => void {
    return (status, seconds, { caller, refusal, head, ownId }) => {
      if (caller === null) return;
      const noted: NotedRequest = {
        sequence: ++this.sequence,
        answeredAtMs: Math.floor(now()),
        durationMs: seconds * 1000,
        route,
        status,
        error: 0,
        issue: 0,
        issuePath: "",
        keyId: caller.actor,
        requestId: head.requestId,
        ownId,
      };
      if (refusal !== null && status >= 400) noteRefusal(noted, refusal);
      this.withRoom(caller.workspaceId, caller.mode).add(noted);
    };
  }

  /** The ring of a workspace and mode, with room for one more row. It counts as used now. */
  withRoom(workspaceId: string, mode: Mode): RequestRing {
    const held = this.rings[mode].get(workspaceId) ?? this.hold(workspaceId, mode);
    if (held !== this.usedLast) {
      this.unlink(held);
      this.linkLast(held);
    }
    const more = held.ring.growthBytes;
    if (more > 0) {
      this.makeRoom(more, held);
      this.bytes += more;
    }
    return held.ring;
  }

  private hold(workspaceId: string, mode: Mode): Held {
    this.makeRoom(FIRST_BYTES, null);
    const ring = this.spare ?? new RequestRing(this.rowsMax);
    this.spare = null;
    this.bytes += ring.sizeBytes;
    const held: Held = { workspaceId, mode, ring, usedBefore: null, usedAfter: null };
    this.rings[mode].set(workspaceId, held);
    this.linkLast(held);
    return held;
  }

  private makeRoom(more: number, growing: Held | null): void {
    while (this.bytes + more > this.bytesMax) {
      const leaving = this.usedFirst;
      if (leaving === null || leaving === growing) return;
      this.unlink(leaving);
      this.rings[leaving.mode].delete(leaving.workspaceId);
      this.bytes -= leaving.ring.sizeBytes;
      if (leaving.ring.sizeBytes === FIRST_BYTES) this.spare = leaving.ring.emptied();
    }
  }

  private linkLast(held: Held): void {
    held.usedBefore = this.usedLast;
    held.usedAfter = null;
    if (this.usedLast === null) this.usedFirst = held;
    else this.usedLast.usedAfter = held;
    this.usedLast = held;
  }

  private unlink({ usedBefore, usedAfter }: Held): void {
    if (usedBefore === null) this.usedFirst = usedAfter;
    else usedBefore.usedAfter = usedAfter;
    if (usedAfter === null) this.usedLast = usedBefore;
    else usedAfter.usedBefore = usedBefore;
  }
}
