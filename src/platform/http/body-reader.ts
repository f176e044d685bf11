import { monotonicMs } from "../timing/clock.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { ApiError } from "./api-error.js";
import type { DataReceiver, Exchange } from "./exchange.js";

/** Who gets a body: one of the two is called, once, unless the peer went away. */
export interface BodyReceiver {
  /** `bytes` are valid only during the call. */
  onBody(bytes: Uint8Array): void | Promise<void>;
  onTooLarge(): void;
}

const TOO_MANY: ApiError = { kind: "unavailable", message: "Too many large bodies are being received" };

/** What has come of all bodies over `smallBodyBytesMax` that have not ended. */
let unfinishedBytes = 0;

/** Collects a body up to `bytesMax`. One in a single chunk, the common case, is handed on without a copy. */
class BodyReader implements DataReceiver {
  private collected: Buffer[] | null = null;
  private bytes = 0;
  /** Its part of `unfinishedBytes`. */
  private counted = 0;

  constructor(
    private readonly exchange: Exchange,
    private readonly bytesMax: number,
    private readonly receiver: BodyReceiver,
  ) {}

  receive(chunk: ArrayBuffer, isLast: boolean): void | Promise<void> {
    this.bytes += chunk.byteLength;
    if (this.bytes > this.bytesMax) {
      this.drop();
      return this.receiver.onTooLarge();
    }
    if (isLast) {
      this.count(0);
      this.exchange.bodyReceivedAtMs = monotonicMs();
      const last = Buffer.from(chunk);
      return this.receiver.onBody(this.collected === null ? last : Buffer.concat([...this.collected, last]));
    }
    // The chunk is detached after this call.
    (this.collected ??= []).push(Buffer.copyBytesFrom(new Uint8Array(chunk)));
    // Whoever has no key may send a webhook of 1 MiB as well, and need not end it.
    if (this.bytes > LIMITS.smallBodyBytesMax) {
      this.count(this.bytes);
      if (unfinishedBytes > TUNING.unfinishedBodyBytesMax) this.exchange.fail(TOO_MANY);
    }
    return undefined;
  }

  drop(): void {
    this.collected = null;
    this.count(0);
  }

  private count(bytes: number): void {
    unfinishedBytes += bytes - this.counted;
    this.counted = bytes;
  }
}

export function readBody(exchange: Exchange, bytesMax: number, receiver: BodyReceiver): void {
  exchange.onData(new BodyReader(exchange, bytesMax, receiver));
}

/** The whole body, or null when it is over `bytesMax`; for a route that cannot take it as it comes. */
export function collectBody(exchange: Exchange, bytesMax: number): Promise<Uint8Array | null> {
  return new Promise((resolve) => {
    readBody(exchange, bytesMax, {
      // The bytes outlive the call here.
      onBody: (bytes) => resolve(Uint8Array.from(bytes)),
      onTooLarge: () => resolve(null),
    });
  });
}
