import type { Pool } from "pg";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { newId } from "./tenants.js";

/** All tables with rows of tenants. Parents of foreign keys come first. Partitions count as part of their parents. */
export async function tenantTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.oid`,
  );
  return rows.map(({ name }) => name);
}

interface Column {
  name: string;
  type: string;
}

/** The value for each column type. With these values every foreign key between a workspace's rows holds. */
const ANY: Readonly<Record<string, unknown>> = {
  boolean: false,
  smallint: 0,
  integer: 1,
  bigint: 1,
  numeric: 1,
  text: "any",
  json: "[]",
  jsonb: "{}",
  bytea: Buffer.alloc(32),
  "smallint[]": [0],
  "text[]": ["any"],
  "bigint[]": [0],
  "timestamp with time zone": new Date(0),
};

/** A number that is unique in its table. */
let numbers = 0;

export interface RowOwner {
  workspaceId: string;
  personId: string;
  merchantId?: string;
}

/** Inserts one row of a workspace and fills only `columns`. */
export async function insertAnyRow(
  pool: Pick<Pool, "query">,
  columns: readonly Column[],
  table: string,
  { workspaceId, personId, merchantId }: RowOwner,
): Promise<void> {
  const values = columns.map(({ name, type }) => {
    if (name === "workspace_id") return idToHex(workspaceId);
    if (type === "uuid") return idToHex(personId);
    if (name === "number") return ++numbers;
    if (MERCHANT_COLUMNS.includes(name)) return merchantId ?? ANY["text"];
    const value = ANY[type];
    if (value === undefined) throw new TypeError(`no value for ${table}.${name} of type ${type}`);
    return value;
  });
  const names = columns.map(({ name }) => name);
  await pool.query(
    `insert into ${table} (${names.join(", ")}) values (${names.map((_, at) => `$${at + 1}`).join(", ")})`,
    values,
  );
}

const MERCHANT_COLUMNS: readonly string[] = ["merchant_id", "merchant_scope"];

/** The columns that a row requires, and those that name its workspace and its merchant. */
export async function neededColumns(pool: Pool, table: string): Promise<Column[]> {
  const { rows } = await pool.query<Column>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''
       and (attnotnull and not atthasdef or attname = any($2::text[])) order by attnum`,
    [table, ["workspace_id", ...MERCHANT_COLUMNS]],
  );
  return rows;
}

/** Creates a workspace with a row in each of `tables` and resolves to its id. */
export async function fillWorkspace(
  pool: Pool,
  tables: readonly string[],
  owner: Partial<RowOwner> = {},
): Promise<string> {
  const ids = { workspaceId: newId("ws"), personId: newId("usr"), ...owner };
  await pool.query("insert into users (user_id, email, password_hash) values ($1, $2, 'secret')", [
    idToHex(ids.personId),
    `${ids.personId}@example.com`,
  ]);
  // The ids of the rows contain the present time, so this week needs partitions.
  await pool.query("select ensure_decision_partitions(now())");
  for (const table of tables) await insertAnyRow(pool, await neededColumns(pool, table), table, ids);
  return ids.workspaceId;
}
