import { columnsOf, together, type Ends } from "./rows.js";
import { CHUNK_TABLE, LAST_TABLES, LOG_TABLES } from "./tables.js";

/** A number is a cell's own, and so is a transaction. */
const OF_A_CELL = ["number", "begun_by"];

/**
 * CELL-9, RET-20: a merchant that was erased stays erased. The new cell keeps its id out, as the old one does. An earlier
 * command or stay may have left rows of it there, so the whole log is copied anew after an erasure that the new cell does
 * not know.
 */
export async function carryErasures({ source, target, workspaceId }: Ends): Promise<void> {
  const columns = (await columnsOf(source, "erasures", OF_A_CELL)).join(", ");
  const { rows: known } = await target.query<{ ids: string[] }>(
    "select array(select erasure_id::text from erasures where workspace_id = $1) as ids",
    [workspaceId],
  );
  const { rows } = await source.query<{ erasures: string | null }>(
    `select json_agg(row_to_json(e) order by e.requested_at)::text as erasures
     from (select ${columns} from erasures where workspace_id = $1 and erasure_id <> all ($2::uuid[])) e`,
    [workspaceId, known[0]?.ids ?? []],
  );
  const erasures = rows[0]?.erasures ?? null;
  if (erasures === null) return;
  // The erasures come last: a command that ends in between begins anew.
  for (const table of [...LAST_TABLES, CHUNK_TABLE.table, ...LOG_TABLES.map((log) => log.table).toReversed()])
    await target.query(`delete from ${table} where workspace_id = $1`, [workspaceId]);
  await together(target, async () => {
    // Their numbers rise in the order of their commits (lockErasures() in features/erasures/queries.ts).
    await target.query("select pg_advisory_xact_lock(hashtextextended('erasures', 0))");
    await target.query(
      `insert into erasures (number, ${columns})
       select (select coalesce(max(number), 0) from erasures) + row_number() over (order by requested_at), ${columns}
       from json_populate_recordset(null::erasures, $1::json)`,
      [erasures],
    );
  });
}
