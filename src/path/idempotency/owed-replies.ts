import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { SharedReplies, StoringReply } from "./shared-replies.js";

interface Owed {
  reply: StoringReply;
  /** Unix milliseconds. */
  expiresAtMs: number;
}

export interface OwedReplies {
  /** Adds replies that were given while the cache was down. Beyond the limit the oldest are dropped. */
  owe(replies: readonly StoringReply[]): void;
  /** Sends the replies of one round trip to the cache, once it is up again. */
  pay(): Promise<void>;
}

/**
 * Keeps this node's replies to idempotency keys while the cache is down, and sends them to the cache once it is up. If
 * another node has stored a reply for the same key, that reply stays. Delivery is best effort.
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
