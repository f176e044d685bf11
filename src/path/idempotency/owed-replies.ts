import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { SharedReplies, StoringReply } from "./shared-replies.js";

interface Owed {
  reply: StoringReply;
  /** Unix milliseconds. */
  expiresAtMs: number;
}

export interface OwedReplies {
  /** Replies that were given while the cache was away; past the limit the oldest are not told. */
  owe(replies: readonly StoringReply[]): void;
  /** Tells them, one round trip's worth a call, where the cache is back. */
  pay(): Promise<void>;
}

/**
 * A node that answered keys while the cache was away shows the replies to the others once it is back. A key that another
 * node has answered meanwhile stays with that node's reply: the store is best-effort.
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
