import type { HttpResponse } from "uWebSockets.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/**
 * Sends the whole body and does not end the response: the connection stays ours. The first `tryEnd` writes its length
 * into the head; each ends the response if it has written that many bytes by then. So the body leaves with a length of
 * one more, which nobody sees. Returns the body's length, bytes.
 */
export function sendUnended(res: HttpResponse, body: string | Uint8Array): number {
  const bodyBytes = Buffer.byteLength(body);
  res.tryEnd("", bodyBytes);
  res.tryEnd(body, bodyBytes + 1);
  return bodyBytes;
}

/**
 * An answer that leaves while its request's body still comes. `res.end` would be the end of our say over the
 * connection, and uWebSockets.js then reads on for as long as bytes come: an endless body would be read for ever, while
 * closing at once resets the connection under a client that still sends, which may lose the answer that tells it why.
 * So the answer leaves whole and at once without being ended, what still comes is skipped up to a limit of bytes and of
 * time, and only then the connection is free for its next request, or is cut.
 */
export class EarlyAnswer {
  private bytesLeft: number = TUNING.skippedBodyBytesMax;
  private readonly timer: NodeJS.Timeout;
  private readonly bodyBytes: number;

  /** `res` is corked and has its status and headers; `body` is not empty. */
  constructor(
    private readonly res: HttpResponse,
    body: string | Uint8Array,
  ) {
    this.bodyBytes = sendUnended(res, body);
    this.timer = setTimeout(() => res.close(), TUNING.skippedBodyMsMax).unref();
  }

  /** More of the body has come. */
  skip(bytes: number, isLast: boolean): void {
    this.bytesLeft -= bytes;
    if (isLast) {
      this.forget();
      this.res.cork(() => this.res.tryEnd("", this.bodyBytes));
    } else if (this.bytesLeft < 0) {
      this.res.close();
    }
  }

  /** The connection is closed: nothing is left to do. */
  forget(): void {
    clearTimeout(this.timer);
  }
}
