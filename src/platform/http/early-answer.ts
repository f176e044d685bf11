import type { HttpResponse } from "uWebSockets.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/**
 * Sends the whole body and does not end the response, so the service still owns the connection. The first `tryEnd`
 * writes the body's length into the head. Each `tryEnd` ends the response once it has written as many bytes as its
 * second argument says. So the second call names one byte more than there is; no peer sees that number. Returns the
 * body's length in bytes.
 */
export function sendUnended(res: HttpResponse, body: string | Uint8Array): number {
  const bodyBytes = Buffer.byteLength(body);
  res.tryEnd("", bodyBytes);
  res.tryEnd(body, bodyBytes + 1);
  return bodyBytes;
}

/** Each piece costs a call, however small it is. No honest client sends a body in such pieces. */
export function isTooFine(pieces: number, bytes: number): boolean {
  return pieces > TUNING.bodyPiecesMax && bytes < pieces * TUNING.bodyPieceBytesMin;
}

/**
 * An answer that leaves while its request's body still arrives. After `res.end` the service could no longer close the
 * connection, and uWebSockets.js would read an endless body forever. Closing at once would reset the connection under a
 * client that still sends, and the client could lose the answer. So the answer leaves whole but is not ended. The rest
 * of the body is skipped up to a limit of bytes and of time. At the body's end the connection is free for its next
 * request. Above a limit it is closed.
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

  /** Called for each further piece of the body. */
  skip(bytes: number, isLast: boolean): void {
    this.bytesLeft -= bytes;
    if (isLast) {
      this.forget();
      this.res.cork(() => this.res.tryEnd("", this.bodyBytes));
    } else if (this.bytesLeft < 0) {
      this.res.close();
    }
  }

  /** Called once the connection is closed. */
  forget(): void {
    clearTimeout(this.timer);
  }
}
