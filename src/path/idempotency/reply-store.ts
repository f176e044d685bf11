import { hash } from "node:crypto";
import type { Database } from "lmdb";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import {
  decodeReply,
  decodeReplyBatchHead,
  encodeReplyBatch,
  encodeReplyPlace,
  readReplyPlace,
  REPLY_KEY_BYTES,
} from "./reply-layout.js";

/** IDEM-2: the hash of workspace, mode, merchant and the client's idempotency key. */
export function replyKey(
  workspaceId: string,
  mode: Mode,
  merchantId: string,
  idempotencyKey: string,
): string {
  // merchant_id cannot contain NUL and the key comes last. So different keys never give the same text.
  return hash("sha256", `${workspaceId}\0${mode}\0${merchantId}\0${idempotencyKey}`, "base64url");
}

export interface StoredReply {
  body: string;
  /** SHA-256 of the stored request's body, base64url. */
  bodyHash: string;
  /** Unix milliseconds. */
  expiresAtMs: number;
}

/** IDEM-5: the hash of a body's exact bytes. `idempotency-body-mismatch` tells whether it differs. */
export function bodyHashOf(requestBody: string): string {
  return hash("sha256", requestBody, "base64url");
}

/** A first response that is to be stored under its key. */
export interface FirstReply {
  /** The result of `replyKey`. */
  key: string;
  /** The result of `bodyHashOf`. */
  bodyHash: string;
  reply: string;
}

export interface ReplyStoreOptions {
  /**
   * Maps a reply key to the place of its reply. The entries are small, because each is in another page, which a commit
   * must rewrite.
   */
  places: Database<Buffer, Buffer>;
  /** Maps ascending batch numbers to replies and their keys. A batch is written and deleted as a whole. */
  batches: Database<Buffer, number>;
  /** True if replies take more room than allowed. Then `sweep` deletes the oldest before their hour ends. */
  isOverfull(): boolean;
}

/** Stores first responses for one hour. Call it only inside a write transaction. */
export function createReplyStore({ places, batches, isOverfull }: ReplyStoreOptions) {
  const lastBatch = (): number => {
    for (const number of batches.getKeys({ reverse: true, limit: 1 })) return number;
    return 0;
  };

  return {
    find(key: string, nowMs: number): StoredReply | null {
      const stored = places.getBinary(keyBytes(key));
      if (stored === undefined) return null;
      const place = readReplyPlace(stored);
      const { expiresAtMs, requestHash } = place;
      if (expiresAtMs <= nowMs) return null;
      const batch = batches.getBinary(place.batch);
      if (batch === undefined) return null;
      return { body: decodeReply(batch, place), bodyHash: requestHash.toString("base64url"), expiresAtMs };
    },

    /** Stores replies. Each must have a key of its own. */
    store(replies: readonly FirstReply[], nowMs: number): void {
      if (replies.length === 0) return;
      const number = lastBatch() + 1;
      const expiresAtMs = nowMs + LIMITS.idempotencyWindowMs;
      const keys = replies.map(({ key }) => keyBytes(key));
      const { batch, ranges } = encodeReplyBatch(
        expiresAtMs,
        keys,
        replies.map(({ reply }) => reply),
      );
      batches.putSync(number, batch);
      for (const [index, { bodyHash }] of replies.entries()) {
        const [start, end] = ranges[index] as readonly [number, number];
        const requestHash = Buffer.from(bodyHash, "base64url");
        const place = { expiresAtMs, requestHash, batch: number, start, end };
        places.putSync(keys[index] as Buffer, encodeReplyPlace(place));
      }
    },

    /**
     * Deletes batches, the oldest first: expired ones, or any if replies take too much room. It stops after at least
     * `limit` replies. Returns the number of replies in the deleted batches.
     */
    sweep(nowMs: number, limit: number): number {
      const isAnyAgeDue = isOverfull();
      let looked = 0;
      for (const number of Array.from(batches.getKeys({ limit }))) {
        const { expiresAtMs, keys } = decodeReplyBatchHead(batches.getBinary(number) as Buffer);
        if (looked >= limit || (expiresAtMs > nowMs && !isAnyAgeDue)) break;
        for (const key of keys) {
          const stored = places.getBinary(key);
          // The key may have a newer reply by now. So only entries that point to this batch are removed.
          if (stored !== undefined && readReplyPlace(stored).batch === number) places.removeSync(key);
        }
        batches.removeSync(number);
        looked += keys.length;
      }
      return looked;
    },
  };
}

export type ReplyStore = ReturnType<typeof createReplyStore>;

/** Half of the hash suffices: the chance that two of a billion keys share these 128 bits is one in 10²⁰. */
function keyBytes(key: string): Buffer {
  return Buffer.from(key, "base64url").subarray(0, REPLY_KEY_BYTES);
}
