import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import { MAIL_LIMITS, type EmailTokenPurpose } from "./mail-tuning.js";
import type { Queryable } from "../../../platform/postgres/pool.js";
import type { AnyConnection } from "../../../platform/postgres/tenant-db.js";

export interface EmailToken {
  /** `usr_…` */
  userId: string;
  purpose: EmailTokenPurpose;
  /** The address that the token was sent to. */
  email: string;
}

export interface NewEmailToken extends EmailToken {
  tokenHash: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

/** Replaces the person's earlier token of this purpose. */
export async function upsertEmailToken(client: AnyConnection, token: NewEmailToken): Promise<void> {
  await client.query(
    `insert into email_tokens (user_id, purpose, token_hash, email, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (user_id, purpose) do update set
       token_hash = excluded.token_hash, email = excluded.email,
       created_at = excluded.created_at, expires_at = excluded.expires_at`,
    [idToHex(token.userId), token.purpose, token.tokenHash, token.email, token.createdAt, token.expiresAt],
  );
}

/** Null for a token that is unknown, used or expired, or whose address the person no longer has. */
export async function findEmailToken(
  db: Queryable,
  purpose: EmailTokenPurpose,
  tokenHash: Buffer,
  now: Date,
): Promise<EmailToken | null> {
  const { rows } = await db.query<{ user_id: string; email: string }>(
    `select t.user_id, t.email from email_tokens t join users u on u.user_id = t.user_id
     where t.token_hash = $1 and t.purpose = $2 and t.expires_at > $3 and lower(u.email) = lower(t.email)`,
    [tokenHash, purpose, now],
  );
  const row = rows[0];
  return row === undefined ? null : { userId: idFromHex("usr", row.user_id), purpose, email: row.email };
}

/** Returns false if the token no longer exists. Somebody else used it first, or a newer token replaced it. */
export async function deleteEmailToken(
  db: Queryable,
  purpose: EmailTokenPurpose,
  tokenHash: Buffer,
): Promise<boolean> {
  const { rowCount } = await db.query("delete from email_tokens where token_hash = $1 and purpose = $2", [
    tokenHash,
    purpose,
  ]);
  return rowCount === 1;
}

/** ACC-30: true if the person had a letter of this purpose so lately that they must wait for the next one. */
export async function wasSentLately(
  db: Queryable,
  userId: string,
  purpose: EmailTokenPurpose,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "select from email_tokens where user_id = $1 and purpose = $2 and created_at > $3",
    [idToHex(userId), purpose, new Date(now.getTime() - MAIL_LIMITS.againAfterMs)],
  );
  return rowCount === 1;
}
