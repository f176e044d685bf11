import type { Pool } from "pg";
import { refusalClasses } from "../../platform/postgres/refusal-kind.js";
import { sqlStateOf } from "../../platform/postgres/sql-state.js";
import type { RecordKind } from "../journal/batch-codec.js";

/** `kept_outcome` is a report from unmatched_outcomes that PostgreSQL refused once its decision had come. */
export type SetAsideKind = RecordKind | "kept_outcome";

/** PostgreSQL's refusal of a record. */
export interface RefusalWords {
  /** The table that was filled or the function that was called. */
  statement: string;
  sqlState: string;
  /** PostgreSQL's own message, which may quote the record's contents. */
  message: string;
}

/** A record that PostgreSQL refuses for its contents. */
export interface RefusedRecord extends RefusalWords {
  kind: RecordKind;
  /** The stored id in hexadecimal digits. Null for a record of no workspace. */
  workspaceId: string | null;
  /** Position in MODES. */
  mode: number | null;
  decisionId: string | null;
  /** A journal entry with this record alone. */
  entry: Buffer;
}

/** The reports that were answered 200 and whose decision is not stored. */
export interface KeptOutcomes {
  /** The number of waiting reports; at most 10,000 are counted. */
  waiting: number;
  oldestSeconds: number;
  /** The number of records of all nodes that are set aside; at most 10,000 are counted. */
  setAside: number;
}

const NO_WORKSPACE = "0".repeat(32);
const MESSAGE_CHARS_MAX = 1000;

export function refusalWordsOf(error: unknown): Omit<RefusalWords, "statement"> {
  const message = error instanceof Error ? error.message : "";
  return { sqlState: sqlStateOf(error) ?? "", message: message.slice(0, MESSAGE_CHARS_MAX) };
}

/**
 * Sets the record aside and moves the journal's position from `expected` past the record, in one statement: both or
 * neither. Rejects with advance_journal's PJ001 if the position has moved.
 */
export async function setRecordAside(
  pool: Pool,
  nodeId: string,
  record: RefusedRecord,
  [expected, newPosition]: readonly [number, number],
): Promise<void> {
  await pool.query(
    `with moved as materialized (select advance_journal($1, $2, $3))
     insert into set_aside (set_aside_id, workspace_id, mode, decision_id, kind, node_id, position, entry, statement,
       sql_state, message)
     select new_ulid(), $4, $5, $6, $7, $1, $3, $8, $9, $10, $11 from moved`,
    [
      nodeId,
      expected,
      newPosition,
      record.workspaceId ?? NO_WORKSPACE,
      record.mode,
      record.decisionId,
      record.kind,
      record.entry,
      record.statement,
      record.sqlState,
      record.message,
    ],
  );
}

/** Stores the waiting reports whose decisions have arrived. A report that PostgreSQL refuses is set aside. */
export async function matchKeptOutcomes(pool: Pool): Promise<KeptOutcomes> {
  const { rows } = await pool.query<{ waiting: string; oldest_seconds: number; set_aside: string }>({
    name: "match_kept_outcomes",
    text: `select waiting, oldest_seconds, (select count(*) from (select from set_aside limit 10000) counted) as set_aside
           from match_kept_outcomes($1, $2)`,
    values: [refusalClasses("row"), refusalClasses("server")],
  });
  return {
    waiting: Number(rows[0]?.waiting),
    oldestSeconds: rows[0]?.oldest_seconds ?? 0,
    setAside: Number(rows[0]?.set_aside),
  };
}
