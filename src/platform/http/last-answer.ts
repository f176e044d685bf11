import type { HttpResponse } from "uWebSockets.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { now } from "../timing/clock.js";

/**
 * The answer to a chunked request. The parser skips two bytes behind the last chunk and takes the rest for a request,
 * so nothing that follows may be looked at. It closes a connection by itself when a request comes before the answer to
 * the last one has ended: this answer therefore never ends. Its connection is closed once the answer has left and the
 * body has come, or once the rest of the body passes its limits.
 *
 * The connection is never closed while the parser runs: it would go on with what it has freed.
 */
export class LastAnswer {
  private bytesLeft: number = LIMITS.skippedBodyBytesMax;
  private timer: NodeJS.Timeout | null = null;
  private hasLeft = false;
  private isBodyArriving = false;
  private isGone = false;
  /** Nothing more is wanted of the peer. */
  isClosing = false;

  constructor(private readonly res: HttpResponse) {}

  /** The body is not whole yet: what is to come of it is skipped. */
  expectBody(): void {
    this.isBodyArriving = true;
    this.timer = setTimeout(() => this.close(), LIMITS.skippedBodyMsMax).unref();
  }

  /** More of the body has come. */
  skip(bytes: number, isLast: boolean): void {
    this.bytesLeft -= bytes;
    if (isLast) this.isBodyArriving = false;
    if (this.bytesLeft < 0) this.close();
    else this.closeWhenOver();
  }

  /** The peer has taken the answer, as far as can be seen. */
  left(): void {
    this.hasLeft = true;
    this.closeWhenOver();
  }

  close(): void {
    if (this.isClosing) return;
    this.isClosing = true;
    clearTimeout(this.timer ?? undefined);
    setImmediate(() => {
      if (!this.isGone) this.res.close();
    });
  }

  /** The connection is closed. */
  forget(): void {
    this.isGone = true;
    clearTimeout(this.timer ?? undefined);
  }

  private closeWhenOver(): void {
    if (this.hasLeft && !this.isBodyArriving) this.close();
  }
}

/** Ends a head without a body by itself: `writeHeader` does not filter line ends. `bodyBytes` is what a GET would have. */
export function writeLastHead(res: HttpResponse, bodyBytes: number | null): void {
  const length = bodyBytes === null ? "" : `content-length: ${bodyBytes}\r\n`;
  res.writeHeader("date", `${new Date(now()).toUTCString()}\r\n${length}connection: close\r\n`);
}

/** Ends a streamed answer: the empty last chunk, and a trailer since `writeHeader` writes a name. */
export function writeLastChunk(res: HttpResponse, requestId: string): void {
  res.writeHeader("\r\n0\r\nx-request-id", `${requestId}\r\n`);
}
