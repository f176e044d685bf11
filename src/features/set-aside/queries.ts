import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";
import type { RefusalWords, SetAsideKind } from "../../path/writer/set-aside-queries.js";
import type { Queryable } from "../../platform/postgres/pool.js";

/** A record that was acknowledged but that PostgreSQL refused. */
export interface SetAsideRecord extends RefusalWords {
  /** `sas_…` */
  setAsideId: string;
  kind: SetAsideKind;
  /** `ws_…`, or null when the record belongs to no workspace. */
  workspaceId: string | null;
  mode: Mode | null;
  /** `dec_…` */
  decisionId: string | null;
  /** The node whose journal had the record, and the position in that journal. */
  nodeId: string | null;
  position: number | null;
  setAsideAt: Date;
}

export interface SetAsidePage {
  pageSize: number;
  /**
   * The record before or after which the page lies. The page does not include it. Null: the page begins at the newest
   * record.
   */
  cursor: { kind: "older_than" | "newer_than"; id: string } | null;
}

const COLUMNS = `set_aside_id, kind, nullif(workspace_id, '00000000-0000-0000-0000-000000000000') as workspace_id, mode,
  decision_id, statement, sql_state, message, node_id, position, set_aside_at`;

/**
 * Lists the records of all tenants, newest first. The page is empty when the cursor's record does not exist (LIST-3).
 */
export async function listSetAside(
  db: Queryable,
  { pageSize, cursor }: SetAsidePage,
): Promise<{ records: SetAsideRecord[]; hasMore: boolean }> {
  const newer = cursor?.kind === "newer_than";
  const { rows } = await db.query<SetAsideRow>(
    `select ${COLUMNS} from set_aside
     where $1::uuid is null or (
       set_aside_id ${newer ? ">" : "<"} $1 and exists (select from set_aside where set_aside_id = $1)
     )
     order by set_aside_id ${newer ? "asc" : "desc"} limit $2`,
    [cursor === null ? null : idToHex(cursor.id), pageSize + 1],
  );
  const records = rows.slice(0, pageSize).map(recordOf);
  return { records: newer ? records.toReversed() : records, hasMore: rows.length > pageSize };
}

/** Finds a waiting record with its bytes. Returns null when no such record waits. */
export async function findSetAside(
  db: Queryable,
  setAsideId: string,
): Promise<{ record: SetAsideRecord; entry: Buffer } | null> {
  const { rows } = await db.query<SetAsideRow & { entry: Buffer }>(
    `select ${COLUMNS}, entry from set_aside where set_aside_id = $1`,
    [idToHex(setAsideId)],
  );
  return rows[0] === undefined ? null : { record: recordOf(rows[0]), entry: rows[0].entry };
}

/** Replaces the earlier refusal by the newest one. Returns false if the record no longer waits. */
export async function noteRefusal(
  db: Queryable,
  setAsideId: string,
  { statement, sqlState, message }: RefusalWords,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "update set_aside set statement = $2, sql_state = $3, message = $4 where set_aside_id = $1",
    [idToHex(setAsideId), statement, sqlState, message],
  );
  return rowCount === 1;
}

/** Deletes a record and returns it. The record is stored nowhere else. Returns null if no such record waits. */
export async function deleteSetAside(db: Queryable, setAsideId: string): Promise<SetAsideRecord | null> {
  const { rows } = await db.query<SetAsideRow>(
    `delete from set_aside where set_aside_id = $1 returning ${COLUMNS}`,
    [idToHex(setAsideId)],
  );
  return rows[0] === undefined ? null : recordOf(rows[0]);
}

/** Returns the given workspaces that exist. */
export async function knownWorkspaces(db: Queryable, workspaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ workspace_id: string }>(
    "select workspace_id from workspaces where workspace_id = any($1::uuid[])",
    [workspaceIds.map(idToHex)],
  );
  return rows.map(({ workspace_id }) => idFromHex("ws", workspace_id));
}

interface SetAsideRow {
  set_aside_id: string;
  kind: SetAsideKind;
  workspace_id: string | null;
  mode: number | null;
  decision_id: string | null;
  statement: string;
  sql_state: string;
  message: string;
  node_id: string | null;
  position: string | null;
  set_aside_at: Date;
}

function recordOf(row: SetAsideRow): SetAsideRecord {
  return {
    setAsideId: idFromHex("sas", row.set_aside_id),
    kind: row.kind,
    workspaceId: row.workspace_id === null ? null : idFromHex("ws", row.workspace_id),
    mode: row.mode === null ? null : (MODES[row.mode] ?? null),
    decisionId: row.decision_id === null ? null : idFromHex("dec", row.decision_id),
    statement: row.statement,
    sqlState: row.sql_state,
    message: row.message,
    nodeId: row.node_id,
    position: row.position === null ? null : Number(row.position),
    setAsideAt: row.set_aside_at,
  };
}
