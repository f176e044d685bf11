import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";
import { idFloorHex, idToHex } from "../../domain/ids/ids.js";
import { sqlStateOf } from "../../platform/postgres/sql-state.js";
import type { Pace } from "../../platform/timing/pace.js";
import type { StoredPart, StorePart } from "./archive/archive-part.js";
import { dropKept, keptTable } from "./kept-tables.js";
import { leavingRows, notePart } from "./leaving.js";
import { RETENTION_TUNING } from "./retention-tuning.js";
import { withShortLocks } from "./short-locks.js";
import { WEEKLY_TABLES, type Week } from "./weeks.js";
import { wasWritten } from "./written-since.js";

/**
 * Autovacuum would lock a copy while its rows arrive. It gives way only after `deadlock_timeout`, which is longer than
 * the replacement waits for a lock.
 */
const NO_AUTOVACUUM = ["autovacuum_enabled", "toast.autovacuum_enabled"] as const;

const idOf = (table: string): string => (table === "decision_segments" ? "segment_id" : "decision_id");

/** Returns those of `workspaceIds` that have rows in a week. */
export async function ownersIn(
  client: ClientBase,
  { suffix, parts }: Week,
  workspaceIds: readonly string[],
): Promise<string[]> {
  const found = parts.map(({ table }) => {
    const modes = table === "decision_segments" ? "" : "and mode in (0, 1)";
    return `exists (select from ${table}_${suffix} where workspace_id = hex::uuid ${modes})`;
  });
  const { rows } = await client.query<{ at: number }>(
    `select at::integer from unnest($1::text[]) with ordinality as asked (hex, at) where ${found.join(" or ")}`,
    [workspaceIds.map(idToHex)],
  );
  return rows.map(({ at }) => workspaceIds[at - 1] as string);
}

/**
 * RET-8: replaces a week's partitions with copies that lack the rows of `leaving`. Readers and writers continue while
 * the copies are made. It changes nothing and resolves to false in three cases: the week was written to while it was
 * copied, the check for such writes takes too long, or an older transaction does not end. Such a transaction would not
 * see the rows of the copies.
 *
 * RET-10: with `store` the rows of `leaving` are archived. The copies replace the partitions only if nothing was
 * written after the copying began. The archive therefore has every row that the copies lack.
 */
export async function rewriteWeek(
  client: ClientBase,
  week: Week,
  leaving: readonly string[],
  { store, pace }: { store: StorePart | null; pace: Pace },
): Promise<boolean> {
  const tables = WEEKLY_TABLES.map((table) => ({
    table,
    old: `${table}_${week.suffix}`,
    copy: keptTable(table),
  }));
  const [low, high] = [idFloorHex(week.startMs), idFloorHex(week.endMs)];
  try {
    const seenFrom = await oldestOpen(client);
    const copied: Copied[] = [];
    for (const { table, old, copy } of tables) {
      // With this constraint, PostgreSQL attaches the table without a scan of its rows.
      await client.query(
        `create table ${copy} (like ${table} including all,
           constraint week check (${idOf(table)} >= '${low}' and ${idOf(table)} < '${high}'))
         with (${NO_AUTOVACUUM.map((name) => `${name} = false`).join(", ")})`,
      );
      copied.push(await copyRows(client, { table, old, copy, leaving }, pace));
    }
    if (!(await untilSeen(client))) return false;
    const stored = store === null ? null : await store(leavingRows(week, leaving));
    const note = stored === null ? null : { week, stored };
    const isReplaced = await withShortLocks(client, () =>
      replaceWeek(client, tables, { low, high, seenFrom, copied, note }),
    );
    await pace.restLong();
    return isReplaced;
  } finally {
    // A failure here must not hide the first one. The next holder of the lock removes the tables then.
    await dropKept(client).catch(() => undefined);
  }
}

/** Returns the oldest transaction that is open. Every later snapshot sees the rows of all older transactions. */
async function oldestOpen(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ seen_from: string }>(
    "select pg_snapshot_xmin(pg_current_snapshot())::text as seen_from",
  );
  return rows[0]?.seen_from ?? "0";
}

/** A table whose rows were copied from this file. */
interface Copied {
  old: string;
  fileNode: string;
}

/**
 * Copies the rows a few pages at a time, each in a transaction of its own. One long transaction would keep vacuum from
 * removing the dead rows of every table. A row that is written meanwhile keeps the week from being replaced.
 */
async function copyRows(
  client: ClientBase,
  { table, old, copy, leaving }: { table: string; old: string; copy: string; leaving: readonly string[] },
  pace: Pace,
): Promise<Copied> {
  const { rows } = await client.query<{ file_node: string; pages: string }>(
    `select pg_relation_filenode($1)::text as file_node,
       pg_relation_size($1::regclass) / current_setting('block_size')::bigint as pages`,
    [old],
  );
  const { file_node: fileNode = "", pages = "0" } = rows[0] ?? {};
  const { copyPagesMax, copySegmentPagesMax } = RETENTION_TUNING;
  const step = table === "decision_segments" ? copySegmentPagesMax : copyPagesMax;
  for (let page = 0; page < Number(pages); page += step) {
    await client.query(
      `insert into ${copy} select * from ${old}
       where ctid >= $1::tid and ctid < $2::tid and workspace_id <> all($3::uuid[])`,
      [`(${page},0)`, `(${page + step},0)`, leaving.map(idToHex)],
    );
    await pace.rest();
  }
  return { old, fileNode };
}

interface Replaced {
  table: string;
  old: string;
  copy: string;
}

interface Replacement {
  low: string;
  high: string;
  seenFrom: string;
  copied: readonly Copied[];
  note: { week: Week; stored: StoredPart } | null;
}

/** SQLSTATE query_canceled: a statement took too long. */
const TOO_LONG = "57014";

/**
 * Replaces the partitions with the copies, unless the week was written to. Writers of the week wait during the check,
 * and readers only while the tables are replaced. If the check takes too long, the week stays as it is.
 */
async function replaceWeek(
  client: ClientBase,
  tables: readonly Replaced[],
  { low, high, seenFrom, copied, note }: Replacement,
): Promise<boolean> {
  await client.query("begin");
  try {
    await client.query(`set local statement_timeout = ${RETENTION_TUNING.replaceTimeoutMs}`);
    await client.query(`lock table ${tables.map(({ old }) => old).join(", ")} in exclusive mode`);
    const names = tables.map(({ old }) => old);
    const isWritten = (await wasWritten(client, names, seenFrom)) || (await wasMoved(client, copied));
    if (!isWritten) {
      if (note !== null) await notePart(client, note.week, note.stored);
      for (const { table, old, copy } of tables) {
        await client.query(
          `alter table ${table} detach partition ${old}; drop table ${old}; alter table ${copy} rename to ${old};
           alter table ${old} reset (${NO_AUTOVACUUM.join(", ")});
           alter table ${table} attach partition ${old} for values from ('${low}') to ('${high}');
           alter table ${old} drop constraint week`,
        );
      }
    }
    await client.query("commit");
    return !isWritten;
  } catch (error) {
    await client.query("rollback");
    if (sqlStateOf(error) === TOO_LONG) return false;
    throw error;
  }
}

/** Returns whether a table has another file by now. VACUUM FULL moves rows to other pages, so some may not be copied. */
async function wasMoved(client: ClientBase, copied: readonly Copied[]): Promise<boolean> {
  const { rows } = await client.query(
    `select from unnest($1::text[], $2::text[]) as t (name, file_node)
     where pg_relation_filenode(name::regclass)::text <> file_node`,
    [copied.map(({ old }) => old), copied.map(({ fileNode }) => fileNode)],
  );
  return rows.length > 0;
}

/** Waits until every transaction sees what is stored now. Returns false if an older transaction takes too long. */
async function untilSeen(client: ClientBase): Promise<boolean> {
  const { rows: made } = await client.query<{ id: string }>("select pg_current_xact_id()::text as id");
  for (let attempt = 0; attempt < RETENTION_TUNING.snapshotAttemptsMax; attempt++) {
    const { rows } = await client.query<{ seen: boolean }>(
      `select not exists (
         select from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null
           and age(backend_xmin) >= age($1::text::xid8::xid)) as seen`,
      [made[0]?.id],
    );
    if (rows[0]?.seen === true) return true;
    await sleep(RETENTION_TUNING.lockPauseMs);
  }
  return false;
}
