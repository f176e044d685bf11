import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import type { Queryable } from "../../platform/postgres/pool.js";
import type { Identity } from "./identity-provider.js";

/** Returns the id of the user to whom the identity is linked, or null. */
export async function findLinkedUser(db: Queryable, { issuer, subject }: Identity): Promise<string | null> {
  const { rows } = await db.query<{ user_id: string }>(
    "select user_id from oidc_identities where issuer = $1 and subject = $2",
    [issuer, subject],
  );
  return rows[0] === undefined ? null : idFromHex("usr", rows[0].user_id);
}

/** Returns false when the identity is linked already, to whomever. */
export async function linkIdentity(
  db: Queryable,
  userId: string,
  { issuer, subject }: Identity,
  linkedAt: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into oidc_identities (issuer, subject, user_id, linked_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [issuer, subject, idToHex(userId), linkedAt],
  );
  return rowCount === 1;
}
