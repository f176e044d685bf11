import { idToHex } from "../../domain/ids/ids.js";
import type { Queryable } from "../../platform/postgres/pool.js";

export interface ReplyName {
  /** `ws_…` */
  workspaceId: string;
  /** SHA-256. */
  requestHash: Buffer;
}

/** The most expired replies that one claim deletes, because a claim must not wait for the deletion of thousands. */
const EXPIRED_AT_ONCE = 100;

/** Claims a name. True if nobody else has claimed it since `expiredAt`. Older claims are deleted. */
export async function claimReply(
  db: Queryable,
  { workspaceId, requestHash }: ReplyName,
  bodyHash: Buffer,
  claimedAt: Date,
  expiredAt: Date,
): Promise<boolean> {
  await db.query(
    `delete from change_replies where ctid = any (array(
       select ctid from change_replies where claimed_at <= $1 order by claimed_at limit ${EXPIRED_AT_ONCE}
       for update skip locked))`,
    [expiredAt],
  );
  const { rowCount } = await db.query(
    `insert into change_replies as c (workspace_id, request_hash, body_hash, claimed_at) values ($1, $2, $3, $4)
     on conflict (workspace_id, request_hash)
     do update set body_hash = excluded.body_hash, reply = null, claimed_at = excluded.claimed_at
     where c.claimed_at <= $5`,
    [idToHex(workspaceId), requestHash, bodyHash, claimedAt, expiredAt],
  );
  return rowCount === 1;
}

/** Finds the claim of a name. Null if nobody has claimed it. */
export async function findReply(
  db: Queryable,
  { workspaceId, requestHash }: ReplyName,
): Promise<{ bodyHash: Buffer; reply: Buffer | null } | null> {
  const { rows } = await db.query<{ body_hash: Buffer; reply: Buffer | null }>(
    "select body_hash, reply from change_replies where workspace_id = $1 and request_hash = $2",
    [idToHex(workspaceId), requestHash],
  );
  return rows[0] === undefined ? null : { bodyHash: rows[0].body_hash, reply: rows[0].reply };
}

/** The most replies that a workspace stores, and their most bytes in total. */
const REPLIES_MAX = 1000;
const REPLY_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Stores the reply for an hour from the answer on. If the workspace has too many replies, its oldest are deleted. So a
 * workspace that repeats changes for an hour cannot fill the disk that all share.
 */
export async function storeReply(
  db: Queryable,
  { workspaceId, requestHash }: ReplyName,
  reply: Buffer,
  answeredAt: Date,
): Promise<void> {
  await db.query(
    `update change_replies set reply = $3, claimed_at = greatest(claimed_at, $4)
     where workspace_id = $1 and request_hash = $2`,
    [idToHex(workspaceId), requestHash, reply, answeredAt],
  );
  await db.query(
    `delete from change_replies r using (
       select request_hash, row_number() over newest as replies, sum(octet_length(reply)) over newest as bytes
       from change_replies where workspace_id = $1 and reply is not null
       window newest as (order by claimed_at desc, request_hash)
     ) kept
     where r.workspace_id = $1 and r.request_hash = kept.request_hash and (replies > $2 or bytes > $3)`,
    [idToHex(workspaceId), REPLIES_MAX, REPLY_BYTES_MAX],
  );
}

export async function releaseReply(db: Queryable, { workspaceId, requestHash }: ReplyName): Promise<void> {
  await db.query(
    "delete from change_replies where workspace_id = $1 and request_hash = $2 and reply is null",
    [idToHex(workspaceId), requestHash],
  );
}
