import type { Pool } from "pg";
import { tenantTables } from "../people/any-rows.js";

/** The tables in which some row holds one of the texts, in whatever column. */
export async function tablesWith(pool: Pool, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await pool.query(
      `select from ${name} as t where exists (select from unnest($1::text[]) as wanted where strpos(t::text, wanted) > 0) limit 1`,
      [texts],
    );
    if (rowCount !== 0) found.push(name);
  }
  return found.toSorted();
}

/** Counts the rows of other workspaces in each table with a `workspace_id`. */
export async function rowsOfOthers(pool: Pool, workspaceId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tenantTables(pool)) {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from ${table} where workspace_id <> $1`,
      [workspaceId],
    );
    counts[table] = rows[0]?.n ?? 0;
  }
  return counts;
}
