import type { HttpResponse } from "uWebSockets.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { now } from "../timing/clock.js";

/**
 * The answer to a chunked request. uWebSockets.js' parser skips two bytes after the last chunk, whatever they are, and
 * reads the rest as a request. So nothing that follows on the connection can be trusted. If a request arrives before
 * the previous answer has ended, the parser closes the connection. Therefore this answer is never ended.
 *
 * The connection is never closed while the parser runs, because the parser would go on with freed memory.
 *
 * | State \ event | body ends | answer has left | bytes or time pass a limit | peer goes away |
 * |---|---|---|---|---|
 * | answering: the body is here | – | closing | closing | gone |
 * | skipping: the body still arrives | answering | draining | closing | gone |
 * | draining: the answer has left, the body still arrives | closing | – | closing | gone |
 * | closing: until the next turn of the loop | – | – | – | gone |
 */
export class LastAnswer {
  private bytesLeft: number = TUNING.skippedBodyBytesMax;
  private timer: NodeJS.Timeout | null = null;
  private hasLeft = false;
  private isBodyArriving = false;
  private isGone = false;
  /** True if the connection is about to be closed. Ignore further bytes then. */
  isClosing = false;

  constructor(private readonly res: HttpResponse) {}

  /** Call this if the body is not complete yet. The rest of it is skipped. */
  expectBody(): void {
    this.isBodyArriving = true;
    this.timer = setTimeout(() => this.close(), TUNING.skippedBodyMsMax).unref();
  }

  /** Call this for each further piece of the body. */
  skip(bytes: number, isLast: boolean): void {
    this.bytesLeft -= bytes;
    if (isLast) this.isBodyArriving = false;
    if (this.bytesLeft < 0) this.close();
    else this.closeWhenOver();
  }

  /** Call this when the whole answer has been written. */
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

  /** Call this when the connection is closed. */
  forget(): void {
    this.isGone = true;
    clearTimeout(this.timer ?? undefined);
  }

  private closeWhenOver(): void {
    if (this.hasLeft && !this.isBodyArriving) this.close();
  }
}

/**
 * Writes the last headers and the empty line that ends a head without a body. That works because `writeHeader` does not
 * filter line ends. `bodyBytes` is the length that the body of a GET would have.
 */
export function writeLastHead(res: HttpResponse, bodyBytes: number | null): void {
  const length = bodyBytes === null ? "" : `content-length: ${bodyBytes}\r\n`;
  res.writeHeader("date", `${new Date(now()).toUTCString()}\r\n${length}connection: close\r\n`);
}

/**
 * Ends a streamed answer with the empty last chunk. It writes the request id as a trailer, because `writeHeader` always
 * writes a header.
 */
export function writeLastChunk(res: HttpResponse, requestId: string): void {
  res.writeHeader("\r\n0\r\nx-request-id", `${requestId}\r\n`);
}
