import type { ClientBase } from "pg";

/**
 * A row that is frozen still shows its transaction's number. After 2³¹ further transactions its age is negative, as if
 * the row were new. No row that was written meanwhile is so far ahead.
 */
const NEWER_BY_MAX = 1_000_000_000;

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
    (table) =>
      `exists (select from ${table} where age(xmin) between ${-NEWER_BY_MAX} and age($1::text::xid8::xid))`,
  );
  const { rows } = await client.query<{ written: boolean }>(`select ${newer.join(" or ")} as written`, [
    seenFrom,
  ]);
  return rows[0]?.written !== false;
}
