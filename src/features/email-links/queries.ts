import { idToHex } from "../../domain/ids/ids.js";
import type { Queryable } from "../../platform/postgres/pool.js";

export interface EmailState {
  email: string;
  verifiedAt: Date | null;
}

/** Returns null if the user was just removed. */
export async function findEmailState(db: Queryable, userId: string): Promise<EmailState | null> {
  const { rows } = await db.query<{ email: string; email_verified_at: Date | null }>(
    "select email, email_verified_at from users where user_id = $1",
    [idToHex(userId)],
  );
  const row = rows[0];
  return row === undefined ? null : { email: row.email, verifiedAt: row.email_verified_at };
}

/** ACC-32: false if the address was proved before. The stored time of the first proof stays. */
export async function markEmailVerified(db: Queryable, userId: string, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    "update users set email_verified_at = $2 where user_id = $1 and email_verified_at is null",
    [idToHex(userId), at],
  );
  return rowCount === 1;
}
