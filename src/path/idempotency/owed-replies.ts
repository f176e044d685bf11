import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { SharedReplies, StoringReply } from "./shared-replies.js";

interface Owed {
  reply: StoringReply;
  /** Unix milliseconds. */
  expiresAtMs: number;
}

export interface OwedReplies {
  /** Adds replies that were given while the cache was down. Above the limit, the oldest are dropped. */
  owe(replies: readonly StoringReply[]): void;
  /** Sends one round trip of replies to the cache, if the cache is up again. */
  pay(): Promise<void>;
}

/**
 * Keeps this node's replies to idempotency keys while the cache is down, and sends them when the cache is up again. If
 * another node has stored a reply for a key, that reply stays. Replies can be lost on the way: this is best effort.
 */
export function createOwedReplies(shared: SharedReplies, now: () => number): OwedReplies {
  let owed: Owed[] = [];
  const bound = (list: Owed[]): Owed[] =>
    list.length > TUNING.owedRepliesMax ? list.slice(-TUNING.owedRepliesMax) : list;
  return {
    owe(replies) {
      const nowMs = now();
      owed = bound([...owed, ...replies.map((reply) => ({ reply, expiresAtMs: nowMs + reply.leftMs }))]);
    },
    async pay() {
      if (owed.length === 0 || !shared.isUp()) return;
      const nowMs = now();
      const paying = owed.slice(0, TUNING.owedRepliesAtOnce);
      owed = owed.slice(paying.length);
      const due = paying.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
      if (due.length === 0) return;
      const stored = await shared.store(
        due.map(({ reply, expiresAtMs }) => ({ ...reply, leftMs: expiresAtMs - nowMs })),
      );
      if (stored === null) owed = bound([...due, ...owed]);
    },
  };
}
