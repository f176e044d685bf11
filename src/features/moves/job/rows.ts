import type { ClientBase } from "pg";
import { MOVE_TUNING } from "../../../domain/vocabulary/tuning/moves.js";

/** Both ends of a move. Each is a connection of the tables' owner. */
export interface Ends {
  source: ClientBase;
  target: ClientBase;
  /** The workspace's id in 32 hexadecimal digits. */
  workspaceId: string;
  /** When it is aborted, the copying ends at the next page. */
  signal?: AbortSignal | null;
}

/**
 * Prepares a connection of a move. Sorting is discouraged, because each page is to be read in the order of an index.
 * PostgreSQL estimates how many rows follow a key by the key's first column alone. So it believed that few rows were
 * left, and read and sorted all of them for each page.
 */
export async function prepareEnd(client: ClientBase): Promise<void> {
  await client.query(
    `set statement_timeout = ${MOVE_TUNING.statementTimeoutMs}; set lock_timeout = ${MOVE_TUNING.lockTimeoutMs};
     set time zone 'UTC'; set enable_sort = off`,
  );
}

/** Rows as JSON text. The text is not parsed here, so numbers and the order of keys stay as they are. */
interface Page {
  rows: string;
  count: number;
  /** The key of the last row, as text. */
  last: string[] | null;
}

interface ReadPage {
  columns: readonly string[];
  table: string;
  where: string;
  values: readonly unknown[];
  /** The columns of the key, in order. The last row's values are where the next page begins. */
  key: readonly string[];
  limit: number;
}

/** The columns of a table that are copied, all but those in `without`. PostgreSQL generates the others. */
export async function columnsOf(
  client: ClientBase,
  table: string,
  without: readonly string[] = [],
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
       and attname <> all ($2) order by attnum`,
    [table, without],
  );
  return rows.map(({ name }) => name);
}

export async function readPage(client: ClientBase, page: ReadPage): Promise<Page> {
  const { columns, table, where, values, key, limit } = page;
  const lasts = key.map((column) => `(array_agg(${column}::text))[count(*)::int]`).join(", ");
  const { rows } = await client.query<Page>(
    `select coalesce(json_agg(row_to_json(t)), '[]')::text as rows, count(*)::int as count,
       case when count(*) > 0 then array[${lasts}] end as last
     from (select ${columns.join(", ")} from ${table} where ${where} order by ${key.join(", ")} limit ${limit}) t`,
    [...values],
  );
  return rows[0] ?? { rows: "[]", count: 0, last: null };
}

/**
 * Stores rows in the form in which `readPage` returns them. `where` may leave out rows, which it calls `r`. `action` is
 * `do nothing`, `update` or `update where …`.
 */
export async function storeRows(
  client: ClientBase,
  table: string,
  columns: readonly string[],
  rows: string,
  conflict?: { key: readonly string[]; action: string; where?: string },
): Promise<number> {
  const names = columns.join(", ");
  const { rowCount } = await client.query(
    `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1::json) r
     where ${conflict?.where ?? "true"}
     ${conflict === undefined ? "" : onConflict(columns, conflict)}`,
    [rows],
  );
  return rowCount ?? 0;
}

function onConflict(
  columns: readonly string[],
  { key, action }: { key: readonly string[]; action: string },
): string {
  const target = `on conflict (${key.join(", ")})`;
  if (!action.startsWith("update")) return `${target} ${action}`;
  const set = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  // If a row has no columns besides its key, there is nothing to update.
  return set.length === 0
    ? `${target} do nothing`
    : `${target} do update set ${set.join(", ")} ${action.slice("update".length)}`;
}

/** Copies the workspace's rows of a table in pages, and returns their number. */
export async function copyPages(
  { source, target, workspaceId, signal }: Ends,
  table: string,
  columns: readonly string[],
  where = "true",
): Promise<number> {
  const key = await primaryKeyOf(source, table);
  const types = await typesOf(source, table, key);
  let last: string[] | null = null;
  for (let copied = 0; ;) {
    signal?.throwIfAborted();
    const after =
      last === null
        ? ""
        : ` and (${key.join(", ")}) > (${types.map((type, at) => `$${at + 2}::${type}`).join(", ")})`;
    const page: Page = await readPage(source, {
      columns,
      table,
      where: `workspace_id = $1 and ${where}${after}`,
      values: [workspaceId, ...(last ?? [])],
      key,
      limit: MOVE_TUNING.rowsAtOnce,
    });
    if (page.count > 0) await storeRows(target, table, columns, page.rows);
    copied += page.count;
    if (page.count < MOVE_TUNING.rowsAtOnce) return copied;
    ({ last } = page);
  }
}

export async function primaryKeyOf(client: ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_index i
     cross join unnest(i.indkey) with ordinality as k (attnum, at)
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
     where i.indrelid = $1::regclass and i.indisprimary order by k.at`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function typesOf(client: ClientBase, table: string, columns: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ type: string }>(
    `select format_type(a.atttypid, a.atttypmod) as type from unnest($2::text[]) with ordinality as c (name, at)
     join pg_attribute a on a.attrelid = $1::regclass and a.attname = c.name order by c.at`,
    [table, columns],
  );
  return rows.map(({ type }) => type);
}

/** Runs `work` in one transaction. */
export async function together<T>(client: ClientBase, work: () => Promise<T>, begin = "begin"): Promise<T> {
  await client.query(begin);
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
