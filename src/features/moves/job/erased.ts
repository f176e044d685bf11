import { withRetentionLock } from "../../retention/service.js";
import { columnsOf, together, type Ends } from "./rows.js";
import { CHUNK_TABLE, LAST_TABLES, LOG_TABLES } from "./tables.js";

/** Columns that are not copied, because each cell has its own numbers and transactions. */
const OF_A_CELL = ["number", "begun_by"];

/**
 * CELL-9, RET-20: copies the erasures, so that an erased merchant stays erased. The new cell then refuses the
 * merchant's id, as the old one does. The new cell may have rows of the merchant from an earlier command or stay. After
 * an erasure that it does not know, the whole log is therefore copied anew.
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
  // The erasures are stored last. If the command ends before that, the next command deletes these rows once more.
  // A week that retention rewrites meanwhile would bring the deleted rows back.
  const isDeleted = await withRetentionLock(target, async () => {
    for (const table of [
      ...LAST_TABLES,
      CHUNK_TABLE.table,
      ...LOG_TABLES.map((log) => log.table).toReversed(),
    ])
      await target.query(`delete from ${table} where workspace_id = $1`, [workspaceId]);
    return true;
  });
  if (isDeleted === null)
    throw new Error("retention or an erasure runs in the other cell: try again when it has ended");
  await together(target, async () => {
    // Under this lock, erasure numbers rise in the order of commits (lockErasures() in features/erasures/queries.ts).
    await target.query("select pg_advisory_xact_lock(hashtextextended('erasures', 0))");
    await target.query(
      `insert into erasures (number, ${columns})
       select (select coalesce(max(number), 0) from erasures) + row_number() over (order by requested_at), ${columns}
       from json_populate_recordset(null::erasures, $1::json)`,
      [erasures],
    );
  });
}
