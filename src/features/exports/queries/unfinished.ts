import { EXPORT_TUNING } from "./export-tuning.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { idFloorHex } from "../../../domain/ids/ids.js";
import type { Queryable } from "../../../platform/postgres/pool.js";

/** CELL-8: an update that met an export of a workspace that stands still would fail for all workspaces. */
export const IS_CHANGEABLE = "workspace_id <> all ((select still_workspaces())::uuid[])";

/** The unfinished exports of all workspaces. */
export interface Unfinished {
  waiting: number;
  running: number;
  /** True if an export waits, or if this node's earlier thread left one unfinished. */
  isDue: boolean;
}

/**
 * EXP-8: exports of a suspended workspace wait and are not due. Only PostgreSQL's clock decides whether a lease has
 * ended, so the nodes' clocks may differ.
 */
export async function countUnfinished(db: Queryable, nodeId: string): Promise<Unfinished> {
  const { rows } = await db.query<{ waiting: number; running: number; due: boolean }>({
    name: "count_unfinished_exports",
    text: `select (count(*) filter (where e.status = 'queued'))::int as waiting,
         (count(*) filter (where e.status = 'running'))::int as running,
         coalesce(bool_or(w.status = 0 and e.${IS_CHANGEABLE} and (e.status = 'queued' or leased_until < now() or leased_by = $1)), false) as due
       from exports e join workspaces w using (workspace_id) where e.status in ('queued', 'running')`,
    values: [nodeId],
  });
  const [row = { waiting: 0, running: 0, due: false }] = rows;
  return { waiting: row.waiting, running: row.running, isDue: row.due };
}

/**
 * EXP-10: deletes expired files, and later the exports themselves. Each call handles a bounded number. `nowMs` is in
 * Unix milliseconds.
 */
export async function sweepExports(db: Queryable, nowMs: number): Promise<void> {
  await db.query(
    `with expired as (
       update exports set status = 'expired' where (workspace_id, export_id) in (
         select workspace_id, export_id from exports
         where status in ('done', 'failed') and expires_at <= now() and ${IS_CHANGEABLE}
         order by expires_at limit ${EXPORT_TUNING.sweepRowsMax})
       returning workspace_id, export_id)
     delete from export_chunks c using expired e
     where c.workspace_id = e.workspace_id and c.export_id = e.export_id`,
  );
  await db.query(
    `delete from exports where (workspace_id, export_id) in (
       select workspace_id, export_id from exports where status = 'expired' and export_id < $1
       order by export_id limit ${EXPORT_TUNING.sweepRowsMax})`,
    [idFloorHex(nowMs - LIMITS.exportListedHours * 3_600_000)],
  );
}
