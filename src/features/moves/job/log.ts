import type { ClientBase } from "pg";
import { MOVE_TUNING } from "../../../domain/vocabulary/tuning/moves.js";
import { columnsOf, readPage, storeRows, type Ends } from "./rows.js";
import { DELTA_TABLES, type LogTable } from "./tables.js";

/** Which of a table's rows are copied. By default all of them are. */
interface Range {
  /** Hours since 1970. */
  hour?: number;
  /** Only rows of this transaction and of later ones are copied. Null copies the rows of all transactions. */
  fromTransaction?: string | null;
}

const FIRST: Readonly<Record<string, string>> = {
  smallint: "-1",
  bigint: "-1",
  uuid: "00000000-0000-0000-0000-000000000000",
};

/** Copies a table of the log, page by page. The call may be repeated. */
export async function copyLog(
  ends: Ends,
  log: LogTable,
  { hour, fromTransaction = null }: Range = {},
): Promise<void> {
  const { source, target, workspaceId, signal } = ends;
  const { table, key, onConflict, rowsAtOnce } = log;
  const columns = await columnsOf(source, table);
  const names = key.map(([name]) => name);
  const limit = rowsAtOnce === "documents" ? MOVE_TUNING.documentsAtOnce : MOVE_TUNING.rowsAtOnce;
  const inRange = hour === undefined ? "" : ` and ${rangeOf(names.at(-1) ?? "", hour)}`;
  const after = key.map(([, type], at) => `$${at + 2}::${type}`).join(", ");
  const isNew = isNewIn(log, `$${key.length + 2}::xid`);
  let last = key.map(([, type]) => FIRST[type] ?? "");
  for (;;) {
    signal?.throwIfAborted();
    const page = await readPage(source, {
      columns,
      table,
      where: `workspace_id = $1 and (${names.join(", ")}) > (${after})${inRange} and ${isNew}`,
      values: [workspaceId, ...last, fromTransaction],
      key: names,
      limit,
    });
    if (page.last === null) return;
    await storeRows(target, table, columns, page.rows, {
      key: ["workspace_id", ...names],
      action: onConflict,
      where: log.isOfExports === true ? IS_EXPORT_HERE : "true",
    });
    ({ last } = page);
  }
}

const IS_EXPORT_HERE =
  "exists (select from exports e where e.workspace_id = r.workspace_id and e.export_id = r.export_id)";

/**
 * Compares the ages of rows and not the numbers of transactions, because those numbers repeat after four thousand
 * million transactions.
 */
function isNewIn({ isOfExports }: LogTable, transaction: string): string {
  const isNewer = `(${transaction} is null or age(xmin) <= age(${transaction}))`;
  return isOfExports === true
    ? `export_id in (select export_id from exports where workspace_id = $1 and status = 'done' and ${isNewer})`
    : isNewer;
}

/**
 * Returns the oldest transaction that has not ended. A copy that begins now has all rows of the transactions before it.
 */
export async function oldestTransaction({ source }: Ends): Promise<string> {
  const { rows } = await source.query<{ oldest: string }>(
    "select pg_snapshot_xmin(pg_current_snapshot())::xid::text as oldest",
  );
  return rows[0]?.oldest ?? "";
}

/** Selects the ids of one hour. An id begins with its time. */
const rangeOf = (id: string, hour: number): string =>
  `${id} >= ulid_floor(to_timestamp(${hour} * 3600)) and ${id} < ulid_floor(to_timestamp((${hour} + 1) * 3600))`;

/** Creates in the new cell every weekly partition that the old cell has. */
export async function ensureWeeks({ source, target }: Ends): Promise<void> {
  const { rows } = await source.query<{ week: string }>(
    `select distinct right(relname, 10) as week from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r'
       and relname ~ '^decisions_[0-9]{4}_[0-9]{2}_[0-9]{2}$'`,
  );
  for (const { week } of rows) {
    await target.query("select ensure_decision_partitions(to_timestamp($1, 'YYYY_MM_DD'))", [week]);
  }
}

/**
 * The hours in which something was counted after folds began to leave the workspace out. What was stored since then
 * belongs to these hours.
 */
export async function touchedHours({ source, workspaceId }: Ends): Promise<number[]> {
  const { rows } = await source.query<{ hour: number }>(
    `${DELTA_TABLES.map((table) => `select hour from ${table} where workspace_id = $1`).join(" union ")} order by hour`,
    [workspaceId],
  );
  return rows.map(({ hour }) => hour);
}

/**
 * Copies the health that decisions saw. Documents refer to it by a hash of its content, and the content belongs to no
 * workspace.
 */
export async function copyHealthViews(
  { source, target }: Pick<Ends, "source" | "target">,
  since: Date | null,
): Promise<void> {
  const columns = await columnsOf(source, "health_views");
  for (let last = "\\x"; ;) {
    const page = await readPage(source, {
      columns,
      table: "health_views",
      where: "content_hash > $1::bytea and ($2::timestamptz is null or last_seen_at >= $2)",
      values: [last, since],
      key: ["content_hash"],
      limit: MOVE_TUNING.documentsAtOnce,
    });
    if (page.last === null) return;
    await storeRows(target, "health_views", columns, page.rows, {
      key: ["content_hash"],
      action: "update where excluded.last_seen_at > health_views.last_seen_at",
    });
    last = page.last[0] ?? "";
  }
}

/** Counts the workspace's rows in each table of the log. */
export async function countLog(
  client: ClientBase,
  workspaceId: string,
  tables: readonly LogTable[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table } of tables) {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from ${table} where workspace_id = $1`,
      [workspaceId],
    );
    counts[table] = Number(rows[0]?.count);
  }
  return counts;
}
