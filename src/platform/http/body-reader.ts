import { monotonicMs } from "../timing/clock.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { ApiError } from "./api-error.js";
import type { Exchange } from "./exchange.js";

/** Receives a body's bytes as they arrive, until there is an answer. Copy a chunk to keep it after the call. */
export interface DataReceiver {
  receive(chunk: ArrayBuffer, isLast: boolean): void | Promise<void>;
  /** Called when no more bytes will follow, perhaps several times. */
  drop?(): void;
}

/**
 * Receives a body. One of the functions is called, and only one time. Neither is called if the exchange ends first,
 * because the peer goes away or too many large bodies arrive.
 */
export interface BodyReceiver {
  /** Copy `bytes` to keep them after the call. */
  onBody(bytes: Uint8Array): void | Promise<void>;
  onTooLarge(): void;
}

const TOO_MANY: ApiError = { kind: "unavailable", message: "Too many large bodies are being received" };

/** The received bytes of all unfinished bodies over `smallBodyBytesMax`, summed. */
let unfinishedBytes = 0;

/**
 * Collects a body up to `bytesMax`. A body that arrives in a single chunk, the common case, is passed on without a
 * copy.
 */
class BodyReader implements DataReceiver {
  private collected: Buffer[] | null = null;
  private bytes = 0;
  /** This body's part of `unfinishedBytes`. */
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
    // uWebSockets.js detaches the chunk after this call, so it is copied.
    (this.collected ??= []).push(Buffer.copyBytesFrom(new Uint8Array(chunk)));
    // Without this limit, senders without a key could begin webhooks of 1 MiB and never end them.
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

/** Resolves to the whole body, or to null if it exceeds `bytesMax`. Stays pending if the exchange ends first. */
export function collectBody(exchange: Exchange, bytesMax: number): Promise<Uint8Array | null> {
  return new Promise((resolve) => {
    readBody(exchange, bytesMax, {
      // The bytes are valid only during the call, so they are copied.
      onBody: (bytes) => resolve(Uint8Array.from(bytes)),
      onTooLarge: () => resolve(null),
    });
  });
}

/** True if a body arrives in too many small pieces. Each piece costs a call, and no honest client sends such pieces. */
export function isTooFine(pieces: number, bytes: number): boolean {
  return pieces > TUNING.bodyPiecesMax && bytes < pieces * TUNING.bodyPieceBytesMin;
}
