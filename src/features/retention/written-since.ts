import type { ClientBase } from "pg";

/**
 * Returns whether a snapshot may have missed a row of these tables. `seenFrom` is the oldest transaction that was
 * open at the snapshot. Every row of this or a later transaction counts as missed. The snapshot itself would be more
 * exact, but cannot judge rows that were written in savepoints, as outcomes are. The rows to remove are old, so few
 * are wrongly counted.
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
