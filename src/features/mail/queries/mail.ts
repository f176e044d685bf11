import { idToHex } from "../../../domain/ids/ids.js";
import { MAIL_LIMITS, MAIL_TUNING, type MailKind } from "./mail-tuning.js";
import type { Queryable } from "../../../platform/postgres/pool.js";
import type { AnyConnection } from "../../../platform/postgres/tenant-db.js";

/** The context that a sealed token is bound to. `mailId` is in hexadecimal. */
export const mailContext = (mailId: string): string => `mail/${mailId}`;

export interface NewMail {
  /** In hexadecimal. */
  mailId: string;
  kind: MailKind;
  workspaceId: string | null;
  recipient: string;
  author: string | null;
  sealed: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

/** Does nothing if the address already has a waiting letter about a forgotten password. */
export async function insertMail(client: AnyConnection, mail: NewMail): Promise<void> {
  await client.query(
    `insert into mails (mail_id, workspace_id, kind, recipient, author, sealed, created_at, next_try_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8) on conflict do nothing`,
    [
      mail.mailId,
      mail.workspaceId === null ? null : idToHex(mail.workspaceId),
      mail.kind,
      mail.recipient,
      mail.author === null ? null : idToHex(mail.author),
      mail.sealed,
      mail.createdAt,
      mail.expiresAt,
    ],
  );
}

/** A letter that this node has taken. No other node sends it until its pause is over. */
export interface Due {
  /** In hexadecimal. */
  mailId: string;
  kind: MailKind;
  recipient: string;
  /** The address of the person who sent it. */
  authorEmail: string | null;
  sealed: Buffer;
  expiresAt: Date;
}

const PAUSES = MAIL_TUNING.pausesSeconds.join(", ");

/**
 * Takes the letter that has been due longest. Its next attempt is scheduled before this one begins. If the node dies,
 * another node therefore sends the letter later. A letter without attempts or time left counts as failed.
 */
export async function takeDueMail(db: Queryable): Promise<Due | null> {
  await db.query(
    `update mails set status = 'failed', sealed = null, finished_at = now()
     where status = 'waiting' and next_try_at <= now()
       and (expires_at <= now() or attempts >= ${MAIL_TUNING.pausesSeconds.length})`,
  );
  const { rows } = await db.query<{
    mail_id: string;
    kind: MailKind;
    recipient: string;
    author_email: string | null;
    sealed: Buffer;
    expires_at: Date;
  }>(
    `with due as (
       select mail_id from mails where status = 'waiting' and next_try_at <= now()
       order by next_try_at limit 1 for update skip locked)
     update mails m set attempts = m.attempts + 1,
       next_try_at = now() + (array[${PAUSES}])[m.attempts + 1] * interval '1 second'
     from due where m.mail_id = due.mail_id
     returning m.mail_id, m.kind, m.recipient, m.sealed, m.expires_at,
       (select u.email from users u where u.user_id = m.author) as author_email`,
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    mailId: row.mail_id.replaceAll("-", ""),
    kind: row.kind,
    recipient: row.recipient,
    authorEmail: row.author_email,
    sealed: row.sealed,
    expiresAt: row.expires_at,
  };
}

/** Marks a letter as sent or failed, and deletes its token. */
export async function finishMail(db: Queryable, mailId: string, status: "sent" | "failed"): Promise<void> {
  await db.query(
    `update mails set status = $2, sealed = null, finished_at = now() where mail_id = $1 and status = 'waiting'`,
    [mailId, status],
  );
}

/** Removes a letter that nobody is to get. */
export async function dropMail(db: Queryable, mailId: string): Promise<void> {
  await db.query("delete from mails where mail_id = $1", [mailId]);
}

/**
 * ACC-30: assigns the token to the account of the address. Returns the address in the account's spelling, because a
 * letter never goes to another spelling. Null if nobody or only the platform's administrator has the address, or if the
 * person got a letter a moment ago. A repeated attempt to send the letter keeps its token.
 */
export async function giveForgottenToken(
  db: Queryable,
  { recipient, expiresAt }: Pick<Due, "recipient" | "expiresAt">,
  tokenHash: Buffer,
): Promise<string | null> {
  const { rows } = await db.query<{ email: string }>(
    `insert into email_tokens as t (user_id, purpose, token_hash, email, created_at, expires_at)
     select user_id, 'password_reset', $2, email, now(), $3
     from users where lower(email) = lower($1) and not is_platform_admin
     on conflict (user_id, purpose) do update set
       token_hash = excluded.token_hash, email = excluded.email,
       created_at = excluded.created_at, expires_at = excluded.expires_at
     where t.token_hash = excluded.token_hash
       or t.created_at <= now() - interval '${MAIL_LIMITS.againAfterMs} milliseconds'
     returning email`,
    [recipient, tokenHash, expiresAt],
  );
  return rows[0]?.email ?? null;
}

export async function isMailDue(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ due: boolean }>(
    "select exists (select from mails where status = 'waiting' and next_try_at <= now()) as due",
  );
  return rows[0]?.due === true;
}

export interface MailCounts {
  waiting: number;
  failed: number;
}

/** Removes old finished letters, a bounded number per call. Then counts the waiting and the failed letters. */
export async function sweepMails(db: Queryable): Promise<MailCounts> {
  await db.query(
    `delete from mails where mail_id in (
       select mail_id from mails where status <> 'waiting'
         and finished_at < now() - interval '${MAIL_TUNING.keptDays} days' limit ${MAIL_TUNING.sweepRowsMax})`,
  );
  const { rows } = await db.query<MailCounts>(
    `select (count(*) filter (where status = 'waiting'))::int as waiting,
            (count(*) filter (where status = 'failed'))::int as failed from mails`,
  );
  return rows[0] ?? { waiting: 0, failed: 0 };
}
