import type { HttpResponse } from "uWebSockets.js";
import { monotonicMs } from "../timing/clock.js";
import type { UnwrittenId } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { errorResponse, STATUS_TEXTS, type ApiError, type Status } from "./api-error.js";
import {
  FIRST_HEADER,
  headersOfEveryAnswer,
  JSON_HEADERS,
  REQUEST_ID_PREFIX,
  writeJsonHeaders,
} from "./common-headers.js";
import { EarlyAnswer, sendUnended } from "./early-answer.js";
import type { KeptAnswers } from "./kept-answers.js";
import { LastAnswer, writeLastChunk, writeLastHead } from "./last-answer.js";
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
  /** The same for an answer without a body; also true now and then (`LIMITS.bodilessAnswersMax`). */
  isLastBodiless(): boolean;
  keptAnswers: KeptAnswers;
}

export type ExtraHeaders = readonly (readonly [name: string, value: string])[];

const NO_HEADERS: ExtraHeaders = [];

const STATUS_LINES = Object.fromEntries(
  Object.entries(STATUS_TEXTS).map(([status, text]) => [status, `${status} ${text}`]),
) as Record<Status, string>;

/**
 * An answer that overflows this buffer of uWebSockets.js (bytes) is on its way at once, and the connection can be closed
 * behind it: nothing is answered that a malformed request has smuggled in.
 */
const CORK_BUFFER_BYTES = 16 * 1024;

/** Body bytes as they come, until there is an answer; a chunk is valid only during the call. */
export interface DataReceiver {
  receive(chunk: ArrayBuffer, isLast: boolean): void | Promise<void>;
  /** Nothing more will be received; may be called again. */
  drop?(): void;
}

/** The bytes of `body` are valid only during the call. */
type AnswerKeeper = (status: Status, body: string | Uint8Array, headers: ExtraHeaders) => Promise<void>;

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
  private isBodyArriving = false;
  private receiver: DataReceiver | null = null;
  private early: EarlyAnswer | null = null;
  /** Where the connection ends with the answer, as it does for each chunked request. */
  private last: LastAnswer | null = null;
  /** A chunked request has come to its end, and the parser has returned. */
  private hasEnded = false;
  private onEnded: (() => void) | null = null;
  /** The status of an answer of which a part waits for the peer to take it. */
  private unsent: Status | null = null;
  /** Of an answer of which a copy waits. */
  private releaseKept: (() => void) | null = null;
  private onGone: () => void = () => undefined;
  private keepAnswer: AnswerKeeper | null = null;

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
      this.last?.forget();
      this.receiver?.drop?.();
      if (this.unsent !== null) this.sent(this.unsent);
      if (this.completed) return;
      this.complete();
      this.stream?.wake();
      this.onGone();
    });
    if (head.isChunked) {
      this.last = new LastAnswer(res);
      this.receiveChunks(this.last);
    }
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

  /** The answer leaves once it is kept, also where the peer is gone by then. One that is sent in parts is not kept. */
  beforeAnswer(keep: AnswerKeeper): void {
    this.keepAnswer = keep;
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
    this.receiver = receiver;
    if (this.last !== null) return;
    this.isBodyArriving = true;
    let pieces = 0;
    let bytes = 0;
    this.res.onData((chunk, isLast) => {
      if (isLast) this.isBodyArriving = false;
      bytes += chunk.byteLength;
      if (isTooFine(++pieces, bytes)) {
        // The last answer of a server that stops is ended already, and its connection no longer ours.
        if (!this.completed || this.early !== null) this.res.close();
        return;
      }
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

  /** Null once the request is here. Of a chunked one that is known only at its last chunk; may be asked once. */
  ended(): Promise<void> | null {
    if (this.last === null || this.hasEnded) return null;
    return new Promise((resolve) => {
      this.onEnded = resolve;
    });
  }

  /**
   * What comes behind the last chunk in the same packet is parsed before its callback's turn of the event loop ends, and
   * closes the connection unless it is an empty line (`last-answer.ts`). So the end of the body is told in a later turn:
   * a request that is refused for what follows it has done nothing. Later packets are not read any more.
   */
  private receiveChunks(last: LastAnswer): void {
    this.isBodyArriving = true;
    let pieces = 0;
    let bytes = 0;
    this.res.onData((chunk, isLast) => {
      if (last.isClosing) return;
      const { byteLength } = chunk;
      bytes += byteLength;
      if (isLast) {
        this.isBodyArriving = false;
        this.res.pause();
      }
      const isUnread = this.receiver === null && !this.completed;
      if (isTooFine(++pieces, bytes) || (isUnread && bytes > LIMITS.largeBodyBytesMax)) last.close();
      else if (this.completed) last.skip(byteLength, isLast);
      else if (isLast) setImmediate(() => this.chunksEnded());
      else if (this.receiver !== null) this.pass(chunk, false);
    });
  }

  private chunksEnded(): void {
    if (this.completed) return;
    this.hasEnded = true;
    this.onEnded?.();
    if (this.receiver !== null) this.pass(new ArrayBuffer(0), true);
  }

  private pass(chunk: ArrayBuffer, isLast: boolean): void {
    try {
      this.handled(this.receiver?.receive(chunk, isLast));
    } catch (error) {
      this.handlerFailed(error);
    }
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
    this.answer(status, () => {
      const { res } = this;
      if (status !== 200) res.writeStatus(STATUS_LINES[status]);
      res.writeHeader("x-request-id", this.requestId);
      for (const [name, value] of headers) res.writeHeader(name, value);
      if (this.last !== null) this.sendLast(this.last, status, body, body);
      else if (status === 304 || this.isHead) this.endWithoutBody(status, body.byteLength);
      else this.end(status, body, body);
    });
  }

  /** 204, which has no body. */
  sendNoContent(headers: ExtraHeaders = NO_HEADERS): void {
    this.write(204, "", headers, JSON_HEADERS, false);
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
    res.cork(() => {
      res.writeHeader(FIRST_HEADER, headersOfEveryAnswer(contentType) + this.requestId);
      if (this.last !== null) res.writeHeader("connection", "close");
    });
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
    let accepted = true;
    res.cork(() => {
      accepted = res.write(text);
    });
    if (!accepted) {
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
    const { res } = this;
    if (this.owner.isLastOnConnection()) this.last ??= new LastAnswer(res);
    if (this.last === null) res.cork(() => res.end());
    else {
      // `end` would write `connection: close` into the middle of the body.
      res.cork(() => writeLastChunk(res, this.requestId));
      this.last.left();
    }
    this.owner.observe(200, (monotonicMs() - this.startedAtMs) / 1000, this);
  }

  private write(
    status: Status,
    body: string | Uint8Array,
    headers: ExtraHeaders,
    common: string,
    closeConnection: boolean,
  ): void {
    if (this.keepAnswer !== null) {
      const kept = this.keepAnswer(status, body, headers);
      this.keepAnswer = null;
      const lasting = typeof body === "string" ? body : copyOf(body);
      return this.handled(kept.then(() => this.write(status, lasting, headers, common, closeConnection)));
    }
    if (this.completed) return;
    const { res } = this;
    if (this.stream !== null) {
      // Half of another answer is out: all that is left is to let the peer see that it is not whole.
      res.close();
      return;
    }
    const close = this.owner.isLastOnConnection();
    this.answer(status, () => {
      if (status !== 200) res.writeStatus(STATUS_LINES[status]);
      if (common === JSON_HEADERS && this.head.requestId === undefined) {
        writeJsonHeaders(res, this.ownId);
      } else res.writeHeader(FIRST_HEADER, common + this.requestId);
      for (const [name, value] of headers) res.writeHeader(name, value);
      // RFC 9110 §9.3.2 forbids HEAD this body, but where the request ends is unknown and nothing follows.
      if (closeConnection) sendUnended(res.writeHeader("connection", "close"), body);
      else if (this.last !== null) this.sendLast(this.last, status, body);
      else if (status === 204) this.endEmpty(close);
      else if (this.isHead) this.endWithoutBody(status, Buffer.byteLength(body));
      else if (close) res.end(body, true);
      else if (this.isBodyArriving) this.early = new EarlyAnswer(res, body);
      else this.end(status, body);
    });
    if (closeConnection) res.close();
  }

  /** Writes the one answer there is. */
  private answer(status: Status, write: () => void): void {
    this.completed = true;
    if (this.isBodyArriving) this.receiver?.drop?.();
    this.res.cork(write);
    if (this.unsent === null) this.sent(status);
  }

  private sent(status: Status): void {
    this.unsent = null;
    this.releaseKept?.();
    this.owner.settled();
    this.owner.observe(status, (monotonicMs() - this.startedAtMs) / 1000, this);
  }

  /**
   * What the peer does not take at once stays here, and uWebSockets.js closes the connection should it ask for more
   * first. With `res.end` it would keep any number of answers for a peer that asks and never reads, and offer all of them
   * to the kernel again with each header of the next: 2000 pipelined requests for a document of 275 KB were 500 MB and
   * 2.4 s. `lasting` are the same bytes, where nobody writes to them again.
   */
  private end(status: Status, body: string | Uint8Array, lasting?: Uint8Array): void {
    // Without a length it is that of the body.
    const [, ended] = this.res.tryEnd(body, 0);
    if (ended) return;
    this.keepSending(status, this.keep(status, body, lasting));
  }

  /** The bytes of an answer that the peer has not taken at once. */
  private keep(status: Status, body: string | Uint8Array, lasting?: Uint8Array): Uint8Array {
    this.unsent = status;
    const kept = lasting ?? copyOf(body);
    if (lasting === undefined) {
      this.releaseKept = this.owner.keptAnswers.keep(kept.byteLength, () => {
        if (this.unsent !== null) this.res.close();
      });
    }
    return kept;
  }

  private keepSending(status: Status, body: Uint8Array): void {
    this.res.onWritable((offset) => {
      const [accepted, ended] = this.res.tryEnd(body.subarray(offset), body.byteLength);
      if (ended) this.sent(status);
      return accepted;
    });
  }

  /** The same for an answer that never ends (`last-answer.ts`). */
  private sendLast(last: LastAnswer, status: Status, body: string | Uint8Array, lasting?: Uint8Array): void {
    const { res } = this;
    if (this.isBodyArriving) last.expectBody();
    const bodyBytes = Buffer.byteLength(body);
    const isBodiless = status === 204 || status === 304;
    if (isBodiless || this.isHead || bodyBytes === 0) {
      writeLastHead(res, isBodiless ? null : bodyBytes);
      return last.left();
    }
    sendUnended(res.writeHeader("connection", "close"), body);
    if (res.getWriteOffset() === bodyBytes) return last.left();
    const kept = this.keep(status, body, lasting);
    res.onWritable((offset) => {
      res.tryEnd(kept.subarray(offset), bodyBytes + 1);
      const isAccepted = res.getWriteOffset() === bodyBytes;
      if (isAccepted) {
        this.sent(status);
        last.left();
      }
      return isAccepted;
    });
  }

  /** RFC 9110 §8.6: no content-length with a 204; but only with one can uWebSockets.js close the connection. */
  private endEmpty(close: boolean): void {
    if (close) this.res.endWithoutBody(0, true);
    else this.res.endWithoutBody();
  }

  /**
   * An answer that tells a body's length and has none. Whether the peer took it cannot be asked, and any number of them
   * could wait for one that never reads: the last of its connection leaves without being ended, and is cut if it stays.
   */
  private endWithoutBody(status: Status, bodyBytes: number): void {
    if (bodyBytes > 0 && this.owner.isLastBodiless()) {
      this.unsent = status;
      // Writes the length into the head; the answer would end with that many bytes.
      this.res.writeHeader("connection", "close").tryEnd("", bodyBytes);
      // What is written leaves when the callback that is running returns.
      setImmediate(() => {
        if (this.unsent !== null) this.res.close();
      });
    } else if (status === 304) this.res.endWithoutBody();
    else this.res.writeHeader("content-length", String(bodyBytes)).endWithoutBody();
  }
}

/** Each piece costs a call, however small: a body that nobody would send so ends with its connection. */
function isTooFine(pieces: number, bytes: number): boolean {
  return pieces > LIMITS.bodyPiecesMax && bytes < pieces * LIMITS.bodyPieceBytesMin;
}

/** Bytes that stay, of a body that is its caller's own again. */
function copyOf(body: string | Uint8Array): Uint8Array {
  return typeof body === "string" ? Buffer.from(body) : new Uint8Array(body);
}
