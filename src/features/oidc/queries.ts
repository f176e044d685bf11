import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import type { Queryable } from "../../platform/postgres/pool.js";
import type { Identity } from "./identity-provider.js";

/** Returns the id of the user that the identity is linked to, or null. */
export async function findLinkedUser(db: Queryable, { issuer, subject }: Identity): Promise<string | null> {
  const { rows } = await db.query<{ user_id: string }>(
    "select user_id from oidc_identities where issuer = $1 and subject = $2",
    [issuer, subject],
  );
  return rows[0] === undefined ? null : idFromHex("usr", rows[0].user_id);
}

/** Returns false if the identity is already linked to a user. */
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
