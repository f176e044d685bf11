import { columnsOf, storeRows, type Ends } from "./rows.js";

/** Copies the rows that must wait until the old cell stores nothing more of the workspace. */
export async function carryLast(ends: Ends): Promise<void> {
  await carryOutcomes(ends);
  await carryDeliveries(ends);
  await carryExports(ends);
}

async function readAll(
  { source, workspaceId }: Ends,
  table: string,
  columns: readonly string[],
  tail: string,
) {
  const { rows } = await source.query<{ rows: string }>(
    `select coalesce(json_agg(row_to_json(t)), '[]')::text as rows
     from (select ${columns.join(", ")} from ${table} where workspace_id = $1 and ${tail}) t`,
    [workspaceId],
  );
  return rows[0]?.rows ?? "[]";
}

/** Moves the reports that wait for their decision. Of two reports for one decision, the newer one stays. */
async function carryOutcomes(ends: Ends): Promise<void> {
  const { source, target, workspaceId } = ends;
  const columns = await columnsOf(source, "unmatched_outcomes");
  const rows = await readAll(ends, "unmatched_outcomes", columns, "true");
  await storeRows(target, "unmatched_outcomes", columns, rows, {
    key: ["workspace_id", "mode", "decision_id"],
    action: "update where excluded.reported_at_ms > unmatched_outcomes.reported_at_ms",
  });
  // A late node may have added or replaced reports after the read. Only the reports that were read are deleted.
  await source.query(
    `delete from unmatched_outcomes u using json_populate_recordset(null::unmatched_outcomes, $2::json) as carried
     where u.workspace_id = $1 and u.mode = carried.mode and u.decision_id = carried.decision_id
       and u.reported_at_ms = carried.reported_at_ms`,
    [workspaceId, rows],
  );
}

/** EVT: copies the deliveries that are not done yet, in their order. The old cell then sends none of them. */
async function carryDeliveries(ends: Ends): Promise<void> {
  const { source, target, workspaceId } = ends;
  const columns = await columnsOf(source, "event_deliveries");
  const rows = await readAll(ends, "event_deliveries", columns, "next_try_at is not null order by position");
  await storeRows(target, "event_deliveries", columns, rows, {
    key: ["workspace_id", "endpoint_id", "delivery_id"],
    action: "do nothing",
  });
  await source.query(
    `update event_deliveries set next_try_at = null where workspace_id = $1 and delivery_id in (
       select delivery_id from json_populate_recordset(null::event_deliveries, $2::json))`,
    [workspaceId, rows],
  );
}

/** EXP: moves the exports that are not done. They begin anew in the new cell, and the old cell stops making them. */
async function carryExports(ends: Ends): Promise<void> {
  const { source, target, workspaceId } = ends;
  const unfinished = "status in ('queued', 'running')";
  const columns = await columnsOf(source, "exports", [
    "leased_by",
    "leased_until",
    "status",
    "rows",
    "bytes",
  ]);
  await storeRows(target, "exports", columns, await readAll(ends, "exports", columns, unfinished), {
    key: ["workspace_id", "export_id"],
    action: "do nothing",
  });
  await source.query(`delete from exports where workspace_id = $1 and ${unfinished}`, [workspaceId]);
}
