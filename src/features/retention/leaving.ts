import type { ClientBase } from "pg";
import { idFloorHex, idToHex } from "../../domain/ids/ids.js";
import { WEEKLY_TABLES, type Week } from "./weeks.js";
import type { PartJob, StoredPart } from "./archive/archive-part.js";

/**
 * RET-10: selects a week's partitions and the reviews of its decisions. `workspaceIds` limits the rows to these
 * workspaces. Null selects all rows.
 */
export function leavingRows(week: Week, workspaceIds: readonly string[] | null): PartJob {
  const owners =
    workspaceIds === null ? "true" : `workspace_id = any('{${workspaceIds.map(idToHex).join()}}'::uuid[])`;
  const present = new Set(week.parts.map(({ table }) => table));
  return {
    week: week.suffix,
    workspaceIds,
    tables: [
      ...WEEKLY_TABLES.filter((table) => present.has(table)).map((table) => ({
        table,
        from: `${table}_${week.suffix}`,
        idColumn: table === "decision_segments" ? "segment_id" : "decision_id",
        where: owners,
      })),
      {
        table: "reviews",
        from: "reviews",
        idColumn: "decision_id",
        where: `decision_id >= '${idFloorHex(week.startMs)}' and decision_id < '${idFloorHex(week.endMs)}' and ${owners}`,
      },
    ],
  };
}

/** Call it within the transaction that removes the part's rows, so that both happen or neither. */
export async function notePart(
  client: ClientBase,
  { suffix }: Week,
  { part, rows, bytes }: StoredPart,
): Promise<void> {
  await client.query(
    "insert into archived_parts (week, part, row_count, byte_count) values ($1, $2, $3, $4)",
    [suffix, part, rows, bytes],
  );
}
