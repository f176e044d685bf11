import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Status } from "../../platform/http/api-error.js";
import { createSecretBox } from "../../platform/node/secret-box.js";
import type { BoundedWork } from "../../platform/postgres/bounded-work.js";
import type { Queryable } from "../../platform/postgres/pool.js";
import { claimReply, findReply, releaseReply, storeReply, type ReplyName } from "./change-reply-queries.js";

/** A change that a user requests on the dashboard, with an `Idempotency-Key`. */
export interface KeyedChange {
  workspaceId: string;
  userId: string;
  /** Method, path and query. */
  operation: string;
  /** The `Idempotency-Key`. It also encrypts the reply, so it should be impossible to guess. */
  key: string;
  body: string;
}

export interface ChangeReply {
  status: Status;
  body: string;
  headers: readonly (readonly [name: string, value: string])[];
}

/** A claimed change. Call exactly one of the two functions, one time. */
export interface ClaimedChange {
  /** Call this if the change was made. Repetitions then get this reply. Never rejects. */
  answered(reply: ChangeReply): Promise<void>;
  /** Call this if nothing was changed. A repetition then runs again. Never rejects. */
  refused(): Promise<void>;
}

export type Claim =
  | { kind: "ours"; change: ClaimedChange }
  | { kind: "answered"; reply: ChangeReply; bodyDiffers: boolean }
  /** The first request is still running, its process died, or its reply cannot be decrypted. The result is unknown. */
  | { kind: "unanswered" }
  | { kind: "unavailable" };

export interface ChangeRepliesOptions {
  db: Queryable;
  attempt: BoundedWork;
  /** Unix milliseconds. */
  now(): number;
}

/** How long a repetition waits for the first answer. A change takes less time (DUR-5). */
const WAIT_MS_MAX = 3000;
/** How often a waiting repetition looks for the answer. */
const LOOK_INTERVAL_MS = 100;

/**
 * IDEM-10: the claims and replies of changes with a key. A claim is stored before its change begins, so the change is
 * made at most once, even if a process dies. A claim without a reply stays for its hour.
 *
 * | State \ event | request with the key | change made | change refused | an hour passes |
 * |---|---|---|---|---|
 * | free | claimed, `ours` | – | – | free |
 * | claimed | claimed; `unanswered` after 3 s | answered | free | free |
 * | answered | answered, `answered` | – | – | free |
 *
 * `ours`, `unanswered` and `answered` are the kinds of claim that the request gets.
 */
export function createChangeReplies({ db, attempt, now }: ChangeRepliesOptions) {
  const claimed = (name: ReplyName, seal: (reply: ChangeReply) => Buffer): ClaimedChange => ({
    async answered(reply) {
      await attempt(() => storeReply(db, name, seal(reply), new Date(now())));
    },
    async refused() {
      await attempt(() => releaseReply(db, name));
    },
  });

  return async function claim(change: KeyedChange): Promise<Claim> {
    const { workspaceId, userId, operation, key, body } = change;
    const name: ReplyName = { workspaceId, requestHash: hashOf(`${userId}\0${operation}\0${key}`) };
    const bodyHash = hashOf(body);
    const box = createSecretBox(key);
    const context = `${workspaceId}\0${userId}\0${operation}`;
    const deadlineMs = now() + WAIT_MS_MAX;
    for (;;) {
      const atMs = now();
      const expiredAt = new Date(atMs - LIMITS.idempotencyWindowMs);
      const found = await attempt(async () =>
        (await claimReply(db, name, bodyHash, new Date(atMs), expiredAt))
          ? ("ours" as const)
          : findReply(db, name),
      );
      if (found === "unavailable") return { kind: "unavailable" };
      if (found === "ours") {
        return { kind: "ours", change: claimed(name, (reply) => box.seal(JSON.stringify(reply), context)) };
      }
      // Null means that the first request released its claim between the two statements.
      if (found !== null && found.reply !== null) {
        const opened = box.open(found.reply, context);
        if (opened === null) return { kind: "unanswered" };
        const reply = JSON.parse(opened) as ChangeReply;
        return { kind: "answered", reply, bodyDiffers: !found.bodyHash.equals(bodyHash) };
      }
      if (now() >= deadlineMs) return { kind: "unanswered" };
      await sleep(LOOK_INTERVAL_MS);
    }
  };
}

export type ClaimChange = ReturnType<typeof createChangeReplies>;

function hashOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
