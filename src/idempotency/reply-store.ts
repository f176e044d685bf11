import { hash } from "node:crypto";
import type { Database } from "lmdb";
import { LIMITS } from "../shared/limits.js";
import type { Mode } from "../shared/vocabulary.js";

/** The scope and the caller's key, hashed: contract §4 "Idempotency". */
export function replyKey(
  workspaceId: string,
  mode: Mode,
  merchantId: string,
  idempotencyKey: string,
): string {
  // merchant_id cannot hold a NUL and the key comes last, so the four parts cannot run into each other.
  return hash("sha256", `${workspaceId}\0${mode}\0${merchantId}\0${idempotencyKey}`, "base64url");
}

export interface StoredReply {
  body: string;
  /** SHA-256 of the stored request's body, base64url. */
  bodyHash: string;
  /** Unix milliseconds. */
  expiresAtMs: number;
}

/** contract §4: what `idempotency-body-mismatch` compares, byte for byte. */
export function bodyHashOf(requestBody: string): string {
  return hash("sha256", requestBody, "base64url");
}

export interface ReplyStoreOptions {
  /** reply key → `<expiry ms>:<body hash>:<reply>` */
  replies: Database<string, string>;
  /** [expiry ms, reply key] → `""`: the order in which replies are forgotten. */
  expiries: Database<string, [number, string]>;
  /** True when replies take more room than they may: the oldest are then forgotten before their hour. */
  isOverfull(): boolean;
}

const SHA256_BASE64URL_CHARS = 43;

/** Stored first responses, for one hour. Every call runs inside the caller's write transaction. */
export function createReplyStore({ replies, expiries, isOverfull }: ReplyStoreOptions) {
  return {
    find(key: string, nowMs: number): StoredReply | null {
      const stored = replies.get(key);
      if (stored === undefined) return null;
      const colon = stored.indexOf(":");
      const expiresAtMs = Number(stored.slice(0, colon));
      if (expiresAtMs <= nowMs) return null;
      return {
        body: stored.slice(colon + 2 + SHA256_BASE64URL_CHARS),
        bodyHash: stored.slice(colon + 1, colon + 1 + SHA256_BASE64URL_CHARS),
        expiresAtMs,
      };
    },

    store(key: string, bodyHash: string, reply: string, nowMs: number): void {
      const expiresAtMs = nowMs + LIMITS.idempotencyWindowMs;
      replies.putSync(key, `${expiresAtMs}:${bodyHash}:${reply}`);
      expiries.putSync([expiresAtMs, key], "");
    },

    /** Forgets up to `limit` replies, those whose hour is over first; returns how many it looked at. */
    sweep(nowMs: number, limit: number): number {
      const due = [...expiries.getKeys(isOverfull() ? { limit } : { end: [nowMs + 1, ""], limit })];
      for (const [expiresAtMs, key] of due) {
        // The key may have been used again since: only the reply that this entry stands for goes.
        if (replies.get(key)?.startsWith(`${expiresAtMs}:`)) replies.removeSync(key);
        expiries.removeSync([expiresAtMs, key]);
      }
      return due.length;
    },
  };
}

export type ReplyStore = ReturnType<typeof createReplyStore>;
