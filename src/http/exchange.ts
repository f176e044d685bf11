import type { HttpResponse } from "uWebSockets.js";
import { monotonicMs } from "../shared/clock.js";
import { errorResponse, STATUS_TEXTS, type ApiError, type Status } from "./api-error.js";
import type { RequestHead } from "./request-head.js";

/** Told of every answer, for the metrics. */
export type ExchangeObserver = (route: string, status: Status, seconds: number) => void;

/** What the server that opened an exchange wants to know of it. */
export interface ExchangeOwner {
  observe: ExchangeObserver;
  /** Called once, when the exchange is answered or its peer is gone. */
  settled(): void;
  /** True while the server is stopping: the answer then closes the connection. */
  isLastOnConnection(): boolean;
}

export type ExtraHeaders = readonly (readonly [name: string, value: string])[];

const STATUS_LINES = Object.fromEntries(
  Object.entries(STATUS_TEXTS).map(([status, text]) => [status, `${status} ${text}`]),
) as Record<Status, string>;

/**
 * The value ends one header and carries two more: one call into uWebSockets.js instead of three. Constants only;
 * `writeHeader` does not filter CR and LF.
 */
const HEADERS_OF_EVERY_ANSWER = "nosniff\r\ncache-control: no-store\r\ncontent-type: ";
const JSON_CONTENT_TYPE = "application/json; charset=utf-8";

/** One request and its one answer: the only owner of a uWebSockets.js response. Any number of `send`s is safe. */
export class Exchange {
  private completed = false;
  readonly startedAtMs = monotonicMs();

  constructor(
    private readonly res: HttpResponse,
    readonly head: RequestHead,
    readonly requestId: string,
    readonly route: string,
    private readonly owner: ExchangeOwner,
  ) {
    // First of all: a peer that goes away makes the response unusable.
    res.onAborted(() => {
      if (!this.completed) this.complete();
    });
  }

  private complete(): void {
    this.completed = true;
    this.owner.settled();
  }

  /** True once answered or given up by the peer. */
  get done(): boolean {
    return this.completed;
  }

  /** Body bytes as they come; a chunk is valid only during the call. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): void {
    this.res.onData(handler);
  }

  send(
    status: Status,
    body: string | Buffer,
    headers: ExtraHeaders = [],
    contentType = JSON_CONTENT_TYPE,
  ): void {
    this.write(status, body, headers, contentType, false);
  }

  fail(error: ApiError): void {
    const { status, body } = errorResponse(error);
    const headers: ExtraHeaders = error.kind === "method_not_allowed" ? [["allow", error.allow]] : [];
    // Where a body ends cannot be told from malformed framing. One that is too large is skipped instead: closing while
    // it still arrives resets the connection, and the peer may lose the answer that tells it why.
    this.write(status, body, headers, JSON_CONTENT_TYPE, error.kind === "bad_framing");
  }

  private write(
    status: Status,
    body: string | Buffer,
    headers: ExtraHeaders,
    contentType: string,
    closeConnection: boolean,
  ): void {
    if (this.completed) return;
    this.complete();
    const { res } = this;
    const close = closeConnection || this.owner.isLastOnConnection();
    res.cork(() => {
      if (status !== 200) res.writeStatus(STATUS_LINES[status]);
      res.writeHeader("x-content-type-options", HEADERS_OF_EVERY_ANSWER + contentType);
      res.writeHeader("x-request-id", this.requestId);
      for (const [name, value] of headers) res.writeHeader(name, value);
      if (this.head.method === "HEAD") this.endWithoutBody(Buffer.byteLength(body), close);
      else res.end(body, close);
    });
    this.owner.observe(this.route, status, (monotonicMs() - this.startedAtMs) / 1000);
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
