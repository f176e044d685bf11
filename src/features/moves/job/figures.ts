import { columnsOf, copyPages, storeRows, together, type Ends } from "./rows.js";
import { DELTA_TABLES, FIGURE_TABLES } from "./tables.js";

/** Waits for the folds that are under way. They hold these locks until they end. */
const AFTER_FOLDS = `select pg_advisory_xact_lock(hashtextextended('fold_facets', 0)),
  pg_advisory_xact_lock(hashtextextended('fold_rollups', 0)),
  pg_advisory_xact_lock(hashtextextended('fold_costs_and_retries', 0))`;

/**
 * CELL-9: copies the figures that folds have added up. During the move, folds leave the workspace out, so these figures
 * do not change. All later counts are deltas.
 */
export async function copyFigures(ends: Ends): Promise<void> {
  const { source, target, workspaceId } = ends;
  await together(source, async () => void (await source.query(AFTER_FOLDS)));
  // The deltas in the new cell are from an earlier stay. The new cell counts only what comes after the switch.
  for (const table of DELTA_TABLES)
    await target.query(`delete from ${table} where workspace_id = $1`, [workspaceId]);
  for (const table of FIGURE_TABLES) {
    await together(target, async () => {
      await target.query(`delete from ${table} where workspace_id = $1`, [workspaceId]);
      await copyPages(ends, table, await columnsOf(source, table));
    });
  }
}

/** Moves all deltas of the old cell's tables into one batch, and returns its number. Null if there are no deltas. */
async function takeDeltas({ source, workspaceId }: Ends): Promise<number | null> {
  const taken = DELTA_TABLES.map(
    (table) => `${table}_gone as (delete from ${table} where workspace_id = $1 returning *)`,
  );
  const texts = DELTA_TABLES.map(
    (table) => `'${table}', (select coalesce(json_agg(row_to_json(g)), '[]') from ${table}_gone g)`,
  );
  const some = DELTA_TABLES.map((table) => `exists (select from ${table}_gone)`);
  const { rows } = await source.query<{ batch: number }>(
    `with ${taken.join(", ")}
     insert into moved_deltas (workspace_id, batch, deltas)
     select $1, coalesce((select max(batch) from moved_deltas where workspace_id = $1), 0) + 1,
       json_build_object(${texts.join(", ")})
     where ${some.join(" or ")}
     returning batch`,
    [workspaceId],
  );
  return rows[0]?.batch ?? null;
}

/**
 * CELL-9: adds the later counts of the old cell, each batch once. The old cell keeps a batch until the move is over.
 * Nothing is lost if the command ends before that. `copyHours` copies the log's rows of the hours in a batch.
 */
export async function moveDeltas(
  ends: Ends,
  copyHours: (hours: readonly number[]) => Promise<void>,
): Promise<void> {
  const { source, target, workspaceId } = ends;
  await takeDeltas(ends);
  const { rows } = await target.query<{ through: number }>(
    "select deltas_through as through from workspace_moves where workspace_id = $1",
    [workspaceId],
  );
  const { rows: batches } = await source.query<{ batch: number; hours: number[] }>(
    `select batch, array(
       select distinct (row ->> 'hour')::integer from json_each(deltas) t, json_array_elements(t.value) row order by 1
     ) as hours from moved_deltas where workspace_id = $1 and batch > $2 order by batch`,
    [workspaceId, rows[0]?.through ?? 0],
  );
  for (const { batch, hours } of batches) {
    await copyHours(hours);
    await together(target, () => addBatch(ends, batch));
  }
}

/**
 * Call it once no row is missing in the new cell. The batches keep their numbers, so that another run does not repeat
 * them.
 */
export async function emptyBatches({ source, workspaceId }: Ends): Promise<void> {
  await source.query("update moved_deltas set deltas = '{}' where workspace_id = $1", [workspaceId]);
}

async function addBatch({ source, target, workspaceId }: Ends, batch: number): Promise<void> {
  const moved = await target.query(
    "update workspace_moves set deltas_through = $2 where workspace_id = $1 and deltas_through = $2 - 1",
    [workspaceId, batch],
  );
  if (moved.rowCount !== 1) throw new Error("another command moves this workspace");
  for (const table of DELTA_TABLES) {
    const { rows } = await source.query<{ rows: string }>(
      "select (deltas -> $3)::text as rows from moved_deltas where workspace_id = $1 and batch = $2",
      [workspaceId, batch, table],
    );
    await storeRows(target, table, await columnsOf(source, table), rows[0]?.rows ?? "[]");
  }
}
