import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { idFromHex } from "../../../domain/ids/ids.js";
import { MOVE_TUNING } from "../../../domain/vocabulary/tuning/moves.js";
import { holdKey, replyPrefix } from "../../../path/idempotency/shared-replies.js";

const SCANNED_AT_ONCE = 2000;

/** The caches of both cells. */
export interface Caches {
  source: Redis;
  target: Redis;
}

/**
 * CELL-10: while `work` switches the edge, the new cell claims no new idempotency key of the workspace. The replies of
 * the old cell are then copied, so that a repeated request gets its first answer. Requests that waited for the hold
 * then go on.
 */
export async function carryReplies(
  { source, target }: Caches,
  workspaceHex: string,
  work: () => Promise<void>,
): Promise<number> {
  const key = holdKey(idFromHex("ws", workspaceHex));
  await target.set(key, "1", "PX", MOVE_TUNING.holdMs);
  // The hold is short and is renewed. If the command is killed, the hold soon ends.
  const renewing = setInterval(() => {
    target.pexpire(key, MOVE_TUNING.holdMs).catch(() => undefined);
  }, MOVE_TUNING.holdMs / 3);
  try {
    await work();
    await sleep(MOVE_TUNING.repliesAfterMs);
    return await copyReplies({ source, target }, workspaceHex);
  } finally {
    clearInterval(renewing);
    await target.del(key);
  }
}

/**
 * Copies the replies, and returns their number. The call may be repeated, because a reply in the new cell is never
 * replaced.
 */
export async function copyReplies({ source, target }: Caches, workspaceHex: string): Promise<number> {
  let copied = 0;
  let cursor = "0";
  // The braces in the prefix need no escaping, because they have no meaning in a pattern.
  const pattern = `${replyPrefix(idFromHex("ws", workspaceHex))}*`;
  do {
    const [next, keys] = await source.scan(cursor, "MATCH", pattern, "COUNT", SCANNED_AT_ONCE);
    cursor = next;
    if (keys.length === 0) continue;
    const read = source.pipeline();
    for (const key of keys) read.get(key).pttl(key);
    const found = ((await read.exec()) ?? []).map(([, value]) => value);
    const write = target.pipeline();
    keys.forEach((key, at) => {
      const [reply, leftMs] = [found[2 * at], found[2 * at + 1]];
      // A claim is not copied. It belongs to a node and expires.
      if (typeof reply !== "string" || !reply.startsWith("r:") || typeof leftMs !== "number" || leftMs <= 0)
        return;
      write.set(key, reply, "PX", leftMs, "NX");
      copied++;
    });
    await write.exec();
  } while (cursor !== "0");
  return copied;
}
