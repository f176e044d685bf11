import type { Pool } from "pg";
import type { Queryable } from "../../platform/postgres/pool.js";
import { idFromHex } from "../../domain/ids/ids.js";
import { CHANGE_KINDS, type ChangeKind } from "../../domain/vocabulary/vocabulary.js";

/** Names one record that nodes copy, without the record's contents. */
export interface Change {
  kind: ChangeKind;
  /** `ws_…` */
  workspaceId: string;
  /**
   * The record's key within its workspace and kind. It is '' if a workspace has one record of the kind, and
   * `<provider>/<merchant_id>` for a webhook secret.
   */
  key: string;
}

/**
 * Resolves when this node decides by the current versions of the records that `changes` name, even if it must still
 * copy other records. Rejects while PostgreSQL is away. The change feed then copies the records later.
 */
export type ApplyChangesNow = (changes: readonly Change[]) => Promise<void>;

/** The position up to which the changes of a database have been read. */
export interface ChangeCursor {
  /** Identifies the database and its history. The snapshot has no meaning in another history. */
  source: string;
  /** A pg_snapshot as text. Every change that it shows has been read. */
  snapshot: string;
}

export interface ChangePage {
  changes: Change[];
  /** The cursor that applies when all pages have been read. */
  cursor: ChangeCursor;
  /** The position after which the next page begins. Null on the last page. */
  after: ChangePosition | null;
}

/** The position of one row of `changes`: its transaction as text, and its id. */
export interface ChangePosition {
  changedBy: string;
  changeId: string;
}

interface ChangeRow {
  snapshot: string;
  changed_by: string | null;
  change_id: string;
  workspace_id: string;
  kind: number;
  key: string;
}

const PAGE_ROWS = 500;

/** Reads the current cursor. A copy made after this call has everything that the cursor's snapshot shows. */
export async function readChangeCursor(pool: Pool, source: string): Promise<ChangeCursor> {
  const { rows } = await pool.query<{ snapshot: string }>("select pg_current_snapshot()::text as snapshot");
  return { source, snapshot: (rows[0] as { snapshot: string }).snapshot };
}

/**
 * Returns whether every change after `cursor` can still be read: none was dropped, and the database was not set back.
 */
export async function isChangeCursorGood(pool: Pool, { snapshot }: ChangeCursor): Promise<boolean> {
  const { rows } = await pool.query<{ good: boolean }>(
    `select pg_snapshot_xmax($1::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
        and not exists (select from changes_dropped
                        where not pg_visible_in_snapshot(changed_by, $1::pg_snapshot)) as good`,
    [snapshot],
  );
  return rows[0]?.good === true;
}

/**
 * Reads the changes committed since `cursor`, in the order in which their transactions began. The server's own
 * snapshots select the transactions. A transaction that began early and committed late is found by a later read. No
 * transaction is found by two reads. To read further pages, pass the first page's cursor as `target`, and begin after
 * `after`.
 */
export async function readChanges(
  pool: Pool,
  cursor: ChangeCursor,
  target: ChangeCursor | null = null,
  after: ChangePosition | null = null,
): Promise<ChangePage> {
  const { rows } = await pool.query<ChangeRow>({
    name: "read_changes",
    text: `with target as materialized (select coalesce($2::pg_snapshot, pg_current_snapshot()) as snapshot)
           select t.snapshot::text, c.* from target t
           left join lateral (
             select changed_by::text, change_id::text, workspace_id, kind, key from changes
             where changed_by >= pg_snapshot_xmin($1::pg_snapshot)
               and (changed_by, change_id) > ($3::xid8, $4::bigint)
               and not pg_visible_in_snapshot(changed_by, $1::pg_snapshot)
               and pg_visible_in_snapshot(changed_by, t.snapshot)
             order by changes.changed_by, changes.change_id limit ${PAGE_ROWS}
           ) c on true`,
    values: [cursor.snapshot, target?.snapshot ?? null, after?.changedBy ?? "0", after?.changeId ?? "0"],
  });
  const read = rows.filter(({ changed_by }) => changed_by !== null);
  const last = read.at(-1);
  return {
    changes: read.map((row) => ({
      kind: CHANGE_KINDS[row.kind] as ChangeKind,
      workspaceId: idFromHex("ws", row.workspace_id),
      key: row.key,
    })),
    cursor: { source: cursor.source, snapshot: (rows[0] as ChangeRow).snapshot },
    after:
      read.length < PAGE_ROWS || last === undefined
        ? null
        : { changedBy: last.changed_by as string, changeId: last.change_id },
  };
}

const DROPPED_AT_ONCE = 10_000;

/**
 * The end of a statement whose part `gone` deletes changes. It records the newest transaction of which a change was
 * dropped.
 */
const NOTE_DROPPED = `latest as (
       select changed_by from gone order by changed_by desc limit 1
     ), raised as (
       update changes_dropped set changed_by = latest.changed_by from latest
       where changes_dropped.changed_by < latest.changed_by
     ), first as (
       insert into changes_dropped (changed_by)
       select changed_by from latest where not exists (select from changes_dropped)
     )`;

/**
 * Drops some of the changes older than `olderThanSeconds`, and records the newest transaction of which a change was
 * dropped. Resolves to the number of dropped changes.
 */
export async function dropOldChanges(pool: Pool, olderThanSeconds: number): Promise<number> {
  const { rows } = await pool.query<{ dropped: number }>(
    `with gone as (
       delete from changes where (changed_by, change_id) in (
         select changed_by, change_id from changes
         where changed_at < now() - $1 * interval '1 second'
           and changed_by < pg_snapshot_xmin(pg_current_snapshot())
         order by changed_at limit ${DROPPED_AT_ONCE})
       returning changed_by
     ), ${NOTE_DROPPED}
     select count(*)::int as dropped from gone`,
    [olderThanSeconds],
  );
  return rows[0]?.dropped ?? 0;
}

/**
 * RET-23: drops the changes of a workspace, or of one of its merchants. A node that has not read these changes copies
 * everything. Resolves to the number of changes that are left because an older transaction still runs.
 */
export async function forgetChanges(
  db: Queryable,
  workspaceId: string,
  merchantId: string | null,
): Promise<number> {
  const owned = "workspace_id = $1 and ($2::text is null or $2 = any(string_to_array(key, '/')))";
  await db.query(
    `with gone as (
       delete from changes where ${owned} and changed_by < pg_snapshot_xmin(pg_current_snapshot())
       returning changed_by
     ), ${NOTE_DROPPED}
     select from gone`,
    [workspaceId, merchantId],
  );
  const { rows } = await db.query<{ left: number }>(
    `select count(*)::int as left from changes where ${owned}`,
    [workspaceId, merchantId],
  );
  return rows[0]?.left ?? 0;
}
