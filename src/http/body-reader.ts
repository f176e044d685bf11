import { monotonicMs } from "../shared/clock.js";
import type { Exchange } from "./exchange.js";

/**
 * Collects a body up to `bytesMax`; afterwards exactly one of the callbacks has run, unless the peer went away.
 * A body in one chunk, the common case, is handed on without a copy: `bytes` is valid only during the call.
 */
export function readBody(
  exchange: Exchange,
  bytesMax: number,
  onBody: (bytes: Uint8Array) => void,
  onTooLarge: () => void,
): void {
  let collected: Buffer[] | null = null;
  let bytes = 0;
  exchange.onData((chunk, isLast) => {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) {
      collected = null;
      onTooLarge();
    } else if (isLast) {
      exchange.bodyReceivedAtMs = monotonicMs();
      const last = Buffer.from(chunk);
      onBody(collected === null ? last : Buffer.concat([...collected, last]));
    } else {
      // The chunk is detached after this call.
      (collected ??= []).push(Buffer.copyBytesFrom(new Uint8Array(chunk)));
    }
  });
}

/** The whole body, or null when it is over `bytesMax`; for a route that cannot take it as it comes. */
export function collectBody(exchange: Exchange, bytesMax: number): Promise<Uint8Array | null> {
  return new Promise((resolve) => {
    readBody(
      exchange,
      bytesMax,
      // The bytes outlive the call here.
      (bytes) => resolve(Uint8Array.from(bytes)),
      () => resolve(null),
    );
  });
}
