import type { ClientBase } from "pg";

/**
 * Whether a row of these tables may be of a transaction that a snapshot did not see. `seenFrom` is the oldest transaction
 * that was open then. The snapshot itself could tell more, but not of rows of savepoints: outcomes are stored in them.
 * Rows that leave are old, so hardly anything is taken for new without being it.
 */
export async function wasWritten(
  client: ClientBase,
  tables: readonly string[],
  seenFrom: string,
): Promise<boolean> {
  const newer = tables.map(
    (table) => `exists (select from ${table} where age(xmin) <= age($1::text::xid8::xid))`,
  );
  const { rows } = await client.query<{ written: boolean }>(`select ${newer.join(" or ")} as written`, [
    seenFrom,
  ]);
  return rows[0]?.written !== false;
}
