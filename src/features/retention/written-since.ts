import type { ClientBase } from "pg";

/**
 * Whether these tables have a row that a snapshot, in PostgreSQL's text form, did not see. Rows from before its oldest
 * transaction are told by their age alone. Of the others the snapshot itself says: on a busy server its oldest
 * transaction may be an hour old and somebody else's.
 */
export async function wasWritten(
  client: ClientBase,
  tables: readonly string[],
  seen: string,
): Promise<boolean> {
  const newer = tables.map(
    (table) =>
      `exists (
         select from ${table}, oldest
         where age(xmin) <= oldest.age
           and not pg_visible_in_snapshot((oldest.id + oldest.age - age(xmin))::text::xid8, $1::text::pg_snapshot))`,
  );
  const { rows } = await client.query<{ written: boolean }>(
    `with oldest as (
       select id::text::bigint as id, age(id::xid) as age from pg_snapshot_xmin($1::text::pg_snapshot) as id)
     select ${newer.join(" or ")} as written`,
    [seen],
  );
  return rows[0]?.written !== false;
}
