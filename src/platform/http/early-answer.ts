import type { HttpResponse } from "uWebSockets.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/**
 * Sends the whole body without ending the response, so that the service still owns the connection. The first `tryEnd`
 * writes the body's length into the head. A `tryEnd` ends the response when as many bytes are written as its second
 * argument says. The second call therefore names one byte more than there is. The peer does not see that number.
 * Returns the body's length in bytes.
 */
export function sendUnended(res: HttpResponse, body: string | Uint8Array): number {
  const bodyBytes = Buffer.byteLength(body);
  res.tryEnd("", bodyBytes);
  res.tryEnd(body, bodyBytes + 1);
  return bodyBytes;
}

/**
 * An answer that is sent while its request's body still arrives. After `res.end` the service could no longer close the
 * connection, and uWebSockets.js would read an endless body forever. Closing at once would reset the connection of a
 * client that still sends, and the client could lose the answer. So the whole answer is sent but not ended. The rest of
 * the body is skipped, up to a limit of bytes and of time. When the body ends, the connection is free for its next
 * request. Above a limit it is closed.
 */
export class EarlyAnswer {
  private bytesLeft: number = TUNING.skippedBodyBytesMax;
  private readonly timer: NodeJS.Timeout;
  private readonly bodyBytes: number;

  /** `res` must be corked, with its status and headers written. `body` must not be empty. */
  constructor(
    private readonly res: HttpResponse,
    body: string | Uint8Array,
  ) {
    this.bodyBytes = sendUnended(res, body);
    this.timer = setTimeout(() => res.close(), TUNING.skippedBodyMsMax).unref();
  }

  /** Call this for each further piece of the body. */
  skip(bytes: number, isLast: boolean): void {
    this.bytesLeft -= bytes;
    if (isLast) {
      this.forget();
      this.res.cork(() => this.res.tryEnd("", this.bodyBytes));
    } else if (this.bytesLeft < 0) {
      this.res.close();
    }
  }

  /** Call this when the connection is closed. */
  forget(): void {
    clearTimeout(this.timer);
  }
}
