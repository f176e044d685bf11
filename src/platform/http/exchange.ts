import type { HttpResponse } from "uWebSockets.js";
import { monotonicMs } from "../timing/clock.js";
import { type UnwrittenId, ID_CHARS } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { AnswerStream, type SizedHead } from "./answer-stream.js";
import {
  errorResponse,
  STATUS_LINES,
  type ApiError,
  type Status,
  type ExtraHeaders,
  NO_HEADERS,
  headersOf,
} from "./api-error.js";
import { EarlyAnswer, sendUnended } from "./early-answer.js";
import { isTooFine, type DataReceiver } from "./body-reader.js";
import { copyOf, type KeptAnswers } from "./kept-answers.js";
import { LastAnswer, writeLastChunk, writeLastHead } from "./last-answer.js";
import { type RequestCaller, type RequestHead, REQUEST_ID_PREFIX } from "./request-head.js";

/** Called for every answer of one route. Metrics and traces use it. */
export type ExchangeObserver = (status: Status, seconds: number, exchange: Exchange) => void;

/** What the server provides to the exchanges that it opens. */
export interface ExchangeOwner {
  observe: ExchangeObserver;
  /** Called one time, when the exchange is answered or its peer is gone. */
  settled(): void;
  /** Called if a handler throws or rejects, which is a bug. */
  onHandlerError(error: unknown, exchange: Exchange): void;
  /** True while the server is stopping. The answer then closes the connection. */
  isLastOnConnection(): boolean;
  /** Like `isLastOnConnection`, for an answer without a body. True in any case every `bodilessAnswersMax`th time. */
  isLastBodiless(): boolean;
  keptAnswers: KeptAnswers;
}

/**
 * The value of FIRST_HEADER, followed by three more headers. One call into uWebSockets.js thus replaces four calls that
 * would copy two strings each. It works because `writeHeader` does not filter CR and LF. Pass nothing that may contain
 * CR or LF: content types are constants, and a request id is the service's own or matches `[A-Za-z0-9._-]`.
 */
export function headersOfEveryAnswer(contentType: string, cacheControl = "no-store"): string {
  return `nosniff\r\ncache-control: ${cacheControl}\r\ncontent-type: ${contentType}\r\nx-request-id: `;
}
export const FIRST_HEADER = "x-content-type-options";
export const JSON_CONTENT_TYPE = "application/json; charset=utf-8";
export const JSON_HEADERS = headersOfEveryAnswer(JSON_CONTENT_TYPE);

/**
 * The headers of a JSON answer as bytes, for a request id that the service has made. Nearly all answers have such an
 * id. uWebSockets.js copies a string, but uses bytes without a copy: 1.01 to 1.03 times as fast in row (c) of
 * docs/performance-log.md. Each answer writes its id into these bytes.
 */
const FIRST_HEADER_BYTES = Buffer.from(FIRST_HEADER);
const JSON_HEADERS_BYTES = Buffer.from(JSON_HEADERS + REQUEST_ID_PREFIX + "0".repeat(ID_CHARS));
const OWN_ID_AT = JSON_HEADERS_BYTES.length - ID_CHARS;

export function writeJsonHeaders(res: HttpResponse, ownId: UnwrittenId): void {
  ownId.writeTo(JSON_HEADERS_BYTES, OWN_ID_AT);
  res.writeHeader(FIRST_HEADER_BYTES, JSON_HEADERS_BYTES);
}

/**
 * If an answer overflows this buffer, uWebSockets.js sends it at once, and the connection can be closed after it. A
 * second request that was smuggled in with a malformed one then gets no answer.
 */
const CORK_BUFFER_BYTES = 16 * 1024;

/** Stores an answer. Copy the bytes of `body` to keep them after the call. */
type AnswerKeeper = (status: Status, body: string | Uint8Array, headers: ExtraHeaders) => Promise<void>;

/** One request and its answer. Only the exchange may use the uWebSockets.js response. A second `send` does nothing. */
export class Exchange {
  private completed = false;
  /** The caller, when the key is known, and the reason of a refusal. The request log (RLOG-1) reads both. */
  caller: RequestCaller | null = null;
  refusal: ApiError | null = null;
  readonly startedAtMs = monotonicMs();
  /** When the body's last byte arrived (`monotonicMs`), or when the request began if it has no body. */
  bodyReceivedAtMs = this.startedAtMs;
  private stream: AnswerStream | null = null;
  /** True from the call of `onData` to the body's last byte. */
  private isBodyArriving = false;
  private receiver: DataReceiver | null = null;
  private early: EarlyAnswer | null = null;
  /** Not null if the connection ends after this answer, as it does for each chunked request. */
  private last: LastAnswer | null = null;
  /** The status of an answer of which a part still waits for the peer. Null otherwise. */
  private unsent: Status | null = null;
  /** Releases the copy of an answer that waits for the peer. */
  private releaseKept: (() => void) | null = null;
  private onGone: () => void = () => undefined;
  private keepAnswer: AnswerKeeper | null = null;

  constructor(
    private readonly res: HttpResponse,
    readonly head: RequestHead,
    /** The service's own request id, if the request has none. */
    readonly ownId: UnwrittenId,
    private readonly isHead: boolean,
    private readonly owner: ExchangeOwner,
  ) {
    // Registered first, because the response is unusable as soon as the peer is gone.
    res.onAborted(() => {
      this.early?.forget();
      this.last?.forget();
      this.receiver?.drop?.();
      if (this.unsent !== null) this.sent(this.unsent);
      if (this.completed) return;
      this.complete();
      this.stream?.drop();
      this.onGone();
    });
    if (head.isChunked) {
      this.last = new LastAnswer(res);
      this.receiveChunks(this.last);
    }
  }

  /** The `x-request-id` of the answer. */
  get requestId(): string {
    return this.head.requestId ?? REQUEST_ID_PREFIX + this.ownId.toString();
  }

  private complete(): void {
    this.completed = true;
    this.owner.settled();
  }

  /** True if the exchange is answered or its peer is gone. */
  get done(): boolean {
    return this.completed;
  }

  /** The connection's peer as text. Read it before the handler first waits. */
  peerAddress(): string {
    return Buffer.from(this.res.getRemoteAddressAsText()).toString("latin1");
  }

  /** Sets the function that is called if the peer goes away before its answer. It replaces an earlier one. */
  onPeerGone(handler: () => void): void {
    this.onGone = handler;
  }

  /** Sets a function that stores the answer before it is sent, even if the peer is gone. Streams are not stored. */
  beforeAnswer(keep: AnswerKeeper): void {
    this.keepAnswer = keep;
  }

  /** Answers 500 for an error that a handler threw. An uncaught error would end the process. */
  handlerFailed(error: unknown): void {
    this.owner.onHandlerError(error, this);
    this.fail({ kind: "internal" });
  }

  /** Answers 500 if the rest of a handler's work rejects. */
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
        // A completed answer that is not early has been ended. After that, `res` must not be used.
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

  /**
   * Bytes may follow the last chunk in the same packet. The parser reads them in the same turn of the event loop, and
   * closes the connection unless those bytes are an empty line (`last-answer.ts`). So the handler learns of the body's
   * end in a later turn, and a request with a bad end has no effect. The paused connection reads no later packets.
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
    if (this.receiver !== null) this.pass(new ArrayBuffer(0), true);
  }

  private pass(chunk: ArrayBuffer, isLast: boolean): void {
    try {
      this.handled(this.receiver?.receive(chunk, isLast));
    } catch (error) {
      this.handlerFailed(error);
    }
  }

  /** Sends `body` as JSON, or as `contentType`. Bytes must be UTF-8. The caller may reuse them after the call. */
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
   * Sends 200 with a body, or 304 without one. Keep the body in memory for the life of the process: if the peer does
   * not receive it at once, the rest is sent from the same bytes. So slow readers of large files cost no copies. The
   * answer has the request id and `headers`, and no other headers.
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

  sendNoContent(headers: ExtraHeaders = NO_HEADERS): void {
    this.write(204, "", headers, JSON_HEADERS, false);
  }

  fail(error: ApiError): void {
    this.refusal = error;
    const { status, body } = errorResponse(error);
    // Malformed framing hides the body's end, so the connection closes. A well-framed body is skipped.
    if (error.kind !== "bad_framing") this.write(status, body, headersOf(error), JSON_HEADERS, false);
    else this.write(status, body.padEnd(CORK_BUFFER_BYTES), headersOf(error), JSON_HEADERS, true);
  }

  /**
   * Begins a 200 of unknown length, or an answer with the head `sized`. Call `writePart` afterwards, and `endStream` if
   * the length is unknown. If an error happens later, the answer can only be cut.
   */
  startStream(contentType: string, sized: SizedHead | null = null): void {
    if (this.completed) return;
    const { res } = this;
    const writeHead = (): void => {
      if (sized !== null) res.writeStatus(STATUS_LINES[sized.status]);
      res.writeHeader(FIRST_HEADER, headersOfEveryAnswer(contentType) + this.requestId);
      for (const [name, value] of sized?.headers ?? NO_HEADERS) res.writeHeader(name, value);
      if (this.last !== null) res.writeHeader("connection", "close");
    };
    if (sized !== null && this.isHead) {
      return this.answer(sized.status, () => {
        writeHead();
        this.endWithoutBody(sized.status, sized.bytes);
      });
    }
    const stream = new AnswerStream(res, sized, (status) => this.streamed(status));
    this.stream = stream;
    res.cork(writeHead);
    res.onWritable(() => {
      stream.wake();
      return true;
    });
  }

  /**
   * Resolves to true when the peer can receive more, and to false when it is gone. uWebSockets.js stores a part that
   * the peer does not receive at once, and reports this only at the next part. A caller that awaits each part therefore
   * has at most two parts stored.
   */
  async writePart(part: string | Uint8Array): Promise<boolean> {
    if (this.completed || this.stream === null) return false;
    await this.stream.write(part);
    return !this.completed;
  }

  endStream(): void {
    if (this.completed) return;
    const { res } = this;
    if (this.owner.isLastOnConnection()) this.last ??= new LastAnswer(res);
    if (this.last === null) res.cork(() => res.end());
    else {
      // `end` would write `connection: close` into the middle of the body.
      res.cork(() => writeLastChunk(res, this.requestId));
      this.last.left();
    }
    this.streamed(200);
  }

  private streamed(status: Status): void {
    this.complete();
    this.owner.observe(status, (monotonicMs() - this.startedAtMs) / 1000, this);
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
      // A part of the stream has been sent. Only a closed connection tells the peer that the answer is incomplete.
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
      // RFC 9110 §9.3.2 forbids this body for HEAD. But the end of the request is unknown, so the connection closes.
      if (closeConnection) sendUnended(res.writeHeader("connection", "close"), body);
      else if (this.last !== null) this.sendLast(this.last, status, body);
      // RFC 9110 §8.6: a 204 has no content-length. But uWebSockets.js closes a connection only after one.
      else if (status === 204 && close) res.endWithoutBody(0, true);
      else if (status === 204) res.endWithoutBody();
      else if (this.isHead) this.endWithoutBody(status, Buffer.byteLength(body));
      else if (close) res.end(body, true);
      else if (this.isBodyArriving) this.early = new EarlyAnswer(res, body);
      else this.end(status, body);
    });
    if (closeConnection) res.close();
  }

  /** Writes the answer of this exchange. It must run only one time. */
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
   * Keeps an answer that the peer does not receive at once. uWebSockets.js closes the connection if the peer sends
   * another request first. `res.end` would keep any number of answers for a peer that never reads. It would offer all
   * of them to the kernel again with each header of the next answer. Measured: 2000 pipelined requests for a document
   * of 275 KB took 500 MB and 2.4 s. `lasting` has the bytes of `body` if they never change, and needs no copy.
   */
  private end(status: Status, body: string | Uint8Array, lasting?: Uint8Array): void {
    // 0 stands for the length of the body.
    const [, ended] = this.res.tryEnd(body, 0);
    if (ended) return;
    this.keepSending(status, this.keep(status, body, lasting));
  }

  /** Returns the bytes of an answer that the peer has not received yet. They are copied unless they are lasting. */
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

  /** Sends an answer that is never ended (`last-answer.ts`). */
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

  /**
   * Sends an answer that names a body's length and has no body. uWebSockets.js does not report whether the peer
   * received it, so any number of such answers could wait for a peer that never reads. So each `bodilessAnswersMax`th
   * answer is the last on its connection: it is not ended, and the connection closes in the next turn.
   */
  private endWithoutBody(status: Status, bodyBytes: number): void {
    if (bodyBytes > 0 && this.owner.isLastBodiless()) {
      this.unsent = status;
      // Writes the length into the head. The answer would end only after that many bytes, which are never sent.
      this.res.writeHeader("connection", "close").tryEnd("", bodyBytes);
      // The head leaves when the current callback returns.
      setImmediate(() => {
        if (this.unsent !== null) this.res.close();
      });
    } else if (status === 304) this.res.endWithoutBody();
    else this.res.writeHeader("content-length", String(bodyBytes)).endWithoutBody();
  }
}
