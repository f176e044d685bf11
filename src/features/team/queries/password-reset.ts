import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import type { Queryable } from "../../../platform/postgres/pool.js";

export interface PasswordReset {
  workspaceId: string;
  /** `usr_…` */
  userId: string;
  /** `usr_…` */
  requestedBy: string;
}

export interface NewPasswordReset extends PasswordReset {
  /** SHA-256, 32 bytes. */
  tokenHash: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

const OWNER = ROLES.indexOf("owner");
const ADMIN = ROLES.indexOf("admin");

/** Replaces the member's earlier token. */
export async function upsertPasswordReset(db: Queryable, reset: NewPasswordReset): Promise<void> {
  await db.query(
    `insert into password_resets (workspace_id, user_id, token_hash, requested_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (workspace_id, user_id) do update set
       token_hash = excluded.token_hash, requested_by = excluded.requested_by,
       created_at = excluded.created_at, expires_at = excluded.expires_at`,
    [
      idToHex(reset.workspaceId),
      idToHex(reset.userId),
      reset.tokenHash,
      idToHex(reset.requestedBy),
      reset.createdAt,
      reset.expiresAt,
    ],
  );
}

/**
 * Returns null for a token that is unknown, used or expired. It also returns null if the person who requested the token
 * no longer has a role that may reset the member's password.
 */
export async function findPasswordReset(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<PasswordReset | null> {
  const { rows } = await db.query<{ workspace_id: string; user_id: string; requested_by: string }>(
    `select r.workspace_id, r.user_id, r.requested_by from password_resets r
     join memberships author on author.workspace_id = r.workspace_id and author.user_id = r.requested_by
     join memberships member on member.workspace_id = r.workspace_id and member.user_id = r.user_id
     where r.token_hash = $1 and r.expires_at > $2
       and (author.role = $3 or (author.role = $4 and member.role <> $3))`,
    [tokenHash, now, OWNER, ADMIN],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    workspaceId: idFromHex("ws", row.workspace_id),
    userId: idFromHex("usr", row.user_id),
    requestedBy: idFromHex("usr", row.requested_by),
  };
}

/** Returns false if the token no longer exists. Somebody else used it first, or a newer token replaced it. */
export async function deletePasswordReset(db: Queryable, tokenHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query("delete from password_resets where token_hash = $1", [tokenHash]);
  return rowCount === 1;
}
