import type { HttpResponse } from "uWebSockets.js";
import { monotonicMs } from "../shared/clock.js";
import { ID_CHARS, type UnwrittenId } from "../shared/ids.js";
import { errorResponse, STATUS_TEXTS, type ApiError, type Status } from "./api-error.js";
import { EarlyAnswer } from "./early-answer.js";
import type { RequestHead } from "./request-head.js";

/** Told of every answer of one route, for metrics and traces. */
export type ExchangeObserver = (status: Status, seconds: number, exchange: Exchange) => void;

/** What the server that opened an exchange wants to know of it. */
export interface ExchangeOwner {
  observe: ExchangeObserver;
  /** Called once, when the exchange is answered or its peer is gone. */
  settled(): void;
  /** A handler threw or rejected: a bug. */
  onHandlerError(error: unknown, exchange: Exchange): void;
  /** True while the server is stopping: the answer then closes the connection. */
  isLastOnConnection(): boolean;
}

const REQUEST_ID_PREFIX = "req_";

export type ExtraHeaders = readonly (readonly [name: string, value: string])[];

const NO_HEADERS: ExtraHeaders = [];

const STATUS_LINES = Object.fromEntries(
  Object.entries(STATUS_TEXTS).map(([status, text]) => [status, `${status} ${text}`]),
) as Record<Status, string>;

/**
 * Ends one header's value and carries three more headers: one call into uWebSockets.js instead of four, each of which
 * copies two strings. `writeHeader` does not filter CR and LF: the content types are constants, and a request id is
 * ours or of `[A-Za-z0-9._-]`.
 */
function headersOfEveryAnswer(contentType: string, cacheControl = "no-store"): string {
  return `nosniff\r\ncache-control: ${cacheControl}\r\ncontent-type: ${contentType}\r\nx-request-id: `;
}
const FIRST_HEADER = "x-content-type-options";
const JSON_HEADERS = headersOfEveryAnswer("application/json; charset=utf-8");

/**
 * The same with an id of our own, as nearly all answers have it, in bytes: these uWebSockets.js takes as they are, while
 * of a string it makes a copy of its own ((c) 1.01 to 1.03 times). Bytes of this module's, written anew for each answer.
 */
const FIRST_HEADER_BYTES = Buffer.from(FIRST_HEADER);
const JSON_HEADERS_BYTES = Buffer.from(JSON_HEADERS + REQUEST_ID_PREFIX + "0".repeat(ID_CHARS));
const OWN_ID_AT = JSON_HEADERS_BYTES.length - ID_CHARS;

/**
 * uWebSockets.js closes a connection at once only when an answer overflows this buffer of it (bytes). Otherwise it goes
 * on with what has been received already, and would answer what a malformed request has smuggled in behind it.
 */
const CORK_BUFFER_BYTES = 16 * 1024;

/** Body bytes as they come, until there is an answer; a chunk is valid only during the call. */
export interface DataReceiver {
  receive(chunk: ArrayBuffer, isLast: boolean): void | Promise<void>;
}

/** An answer that is sent in parts. */
interface Stream {
  /** Resolves when the peer takes more, or is gone; null while it does take more. */
  ready: Promise<void> | null;
  wake(): void;
}

/** One request and its one answer: the only owner of a uWebSockets.js response. Any number of `send`s is safe. */
export class Exchange {
  private completed = false;
  readonly startedAtMs = monotonicMs();
  /** When the body's last byte came (`monotonicMs`); the start, for a request that has none. */
  bodyReceivedAtMs = this.startedAtMs;
  private stream: Stream | null = null;
  /** True from the first wish for the body to its last byte. */
  private bodyComes = false;
  private early: EarlyAnswer | null = null;
  private onGone: () => void = () => undefined;

  constructor(
    private readonly res: HttpResponse,
    readonly head: RequestHead,
    /** For a request that brought none. */
    private readonly ownId: UnwrittenId,
    private readonly isHead: boolean,
    private readonly owner: ExchangeOwner,
  ) {
    // First of all: a peer that goes away makes the response unusable.
    res.onAborted(() => {
      this.early?.forget();
      if (this.completed) return;
      this.complete();
      this.stream?.wake();
      this.onGone();
    });
  }

  /** `x-request-id` of the answer. */
  get requestId(): string {
    return this.head.requestId ?? REQUEST_ID_PREFIX + this.ownId.toString();
  }

  private complete(): void {
    this.completed = true;
    this.owner.settled();
  }

  /** True once answered or given up by the peer. */
  get done(): boolean {
    return this.completed;
  }

  /** Of the connection, as text; to be asked before the handler first waits. */
  peerAddress(): string {
    return Buffer.from(this.res.getRemoteAddressAsText()).toString("latin1");
  }

  /** Called once, should the peer go away before it is answered; replaces an earlier handler. */
  onPeerGone(handler: () => void): void {
    this.onGone = handler;
  }

  /** No callback given to uWebSockets.js may throw: that would end the process. What a handler throws is a 500. */
  handlerFailed(error: unknown): void {
    this.owner.onHandlerError(error, this);
    this.fail({ kind: "internal" });
  }

  /** Waits for what a handler has left to do. */
  handled(rest: void | Promise<void>): void {
    if (rest !== undefined) rest.catch((error: unknown) => this.handlerFailed(error));
  }

  onData(receiver: DataReceiver): void {
    this.bodyComes = true;
    this.res.onData((chunk, isLast) => {
      if (isLast) this.bodyComes = false;
      if (this.completed) {
        this.early?.skip(chunk.byteLength, isLast);
        return;
      }
      try {
        this.handled(receiver.receive(chunk, isLast));
      } catch (error) {
        this.handlerFailed(error);
      }
    });
  }

  /** JSON, unless another content type is named. Bytes are UTF-8, and the caller's own again afterwards. */
  send(
    status: Status,
    body: string | Uint8Array,
    headers: ExtraHeaders = NO_HEADERS,
    contentType?: string,
  ): void {
    const common = contentType === undefined ? JSON_HEADERS : headersOfEveryAnswer(contentType);
    this.write(status, body, headers, common, false);
  }

  /**
   * 200 with a body that stays in memory for the life of the process, or 304 without it. `headers` are all there are
   * beside the request id. What the peer does not take at once is offered again from those bytes and not copied: slow
   * readers of large files cost nothing.
   */
  sendFile(status: 200 | 304, body: Uint8Array, headers: ExtraHeaders): void {
    if (this.completed) return;
    const { res } = this;
    const done = (): void => {
      this.complete();
      this.owner.observe(status, (monotonicMs() - this.startedAtMs) / 1000, this);
    };
    res.cork(() => {
      if (status !== 200) res.writeStatus(STATUS_LINES[status]);
      res.writeHeader("x-request-id", this.requestId);
      for (const [name, value] of headers) res.writeHeader(name, value);
      if (status === 304) res.endWithoutBody();
      else if (this.isHead) this.endWithoutBody(body.byteLength, this.owner.isLastOnConnection());
      else {
        const [, ended] = res.tryEnd(body, body.byteLength);
        if (ended) return done();
        res.onWritable((offset) => {
          const [taken, ended] = res.tryEnd(body.subarray(offset), body.byteLength);
          if (ended) done();
          return taken;
        });
        return undefined;
      }
      return done();
    });
  }

  /** 204, which has no body. */
  sendNoContent(headers: ExtraHeaders = NO_HEADERS): void {
    this.write(204, "", headers, JSON_HEADERS, false);
  }

  /** 304: the peer has it already. */
  sendNotModified(headers: ExtraHeaders): void {
    this.write(304, "", headers, JSON_HEADERS, false);
  }

  fail(error: ApiError): void {
    const { status, body } = errorResponse(error);
    const headers: ExtraHeaders = error.kind === "method_not_allowed" ? [["allow", error.allow]] : [];
    // Where a body ends cannot be told from malformed framing. One that is merely not wanted is skipped instead.
    if (error.kind !== "bad_framing") this.write(status, body, headers, JSON_HEADERS, false);
    else this.write(status, body.padEnd(CORK_BUFFER_BYTES), headers, JSON_HEADERS, true);
  }

  /** Begins a 200 of unknown length; what follows are `writePart`s and one `endStream`. No failure can be told any more. */
  startStream(contentType: string): void {
    if (this.completed) return;
    const { res } = this;
    const stream: Stream = { ready: null, wake: () => undefined };
    this.stream = stream;
    res.cork(() =>
      res.writeHeader("x-content-type-options", headersOfEveryAnswer(contentType) + this.requestId),
    );
    res.onWritable(() => {
      stream.wake();
      return true;
    });
  }

  /**
   * Resolves to true once the peer takes more, and to false when it is gone. What was not taken at once is kept by
   * uWebSockets.js, which says so at the next part: wait then, and two parts are all there ever is.
   */
  async writePart(text: string): Promise<boolean> {
    const { stream, res } = this;
    if (this.completed || stream === null) return false;
    let taken = true;
    res.cork(() => {
      taken = res.write(text);
    });
    if (!taken) {
      stream.ready ??= new Promise((resolve) => {
        stream.wake = () => {
          stream.ready = null;
          resolve();
        };
      });
      await stream.ready;
    }
    return !this.completed;
  }

  endStream(): void {
    if (this.completed) return;
    this.complete();
    this.res.cork(() => this.res.end("", this.owner.isLastOnConnection()));
    this.owner.observe(200, (monotonicMs() - this.startedAtMs) / 1000, this);
  }

  private write(
    status: Status,
    body: string | Uint8Array,
    headers: ExtraHeaders,
    common: string,
    closeConnection: boolean,
  ): void {
    if (this.completed) return;
    const { res } = this;
    if (this.stream !== null) {
      // Half of another answer is out: all that is left is to let the peer see that it is not whole.
      res.close();
      return;
    }
    this.complete();
    const close = closeConnection || this.owner.isLastOnConnection();
    res.cork(() => {
      if (status !== 200) res.writeStatus(STATUS_LINES[status]);
      if (common === JSON_HEADERS && this.head.requestId === undefined) {
        this.ownId.writeTo(JSON_HEADERS_BYTES, OWN_ID_AT);
        res.writeHeader(FIRST_HEADER_BYTES, JSON_HEADERS_BYTES);
      } else res.writeHeader(FIRST_HEADER, common + this.requestId);
      for (const [name, value] of headers) res.writeHeader(name, value);
      // RFC 9110 §9.3.2 forbids HEAD this body, but where the request ends is unknown and nothing follows.
      if (closeConnection) res.end(body, true);
      else if (status === 204 || status === 304) this.endEmpty(close);
      else if (this.isHead) this.endWithoutBody(Buffer.byteLength(body), close);
      else if (this.bodyComes && !close) this.early = new EarlyAnswer(res, body);
      else res.end(body, close);
    });
    this.owner.observe(status, (monotonicMs() - this.startedAtMs) / 1000, this);
  }

  /** RFC 9110 §8.6: no content-length with a 204, and none that is wrong with a 304; but only with one can uWebSockets.js close the connection. */
  private endEmpty(close: boolean): void {
    if (close) this.res.endWithoutBody(0, true);
    else this.res.endWithoutBody();
  }

  /**
   * Given a length of its own to report, uWebSockets.js waits for that many bytes and drops the connection at its
   * next request; given 0 it ends at once, which is what closing needs.
   */
  private endWithoutBody(bodyBytes: number, close: boolean): void {
    if (close) this.res.endWithoutBody(0, true);
    else this.res.writeHeader("content-length", String(bodyBytes)).endWithoutBody();
  }
}
