import type { Pool } from "pg";
import { sqlStateOf } from "../../platform/postgres/sql-state.js";
import type { RecordKind } from "../journal/batch-codec.js";

/**
 * `kept_outcome`: a report that waited in unmatched_outcomes, and that PostgreSQL refused when its decision arrived.
 */
export type SetAsideKind = RecordKind | "kept_outcome";

/** What PostgreSQL said when it refused a record. */
export interface RefusalWords {
  /** The table that was filled or the function that was called. */
  statement: string;
  sqlState: string;
  /** PostgreSQL's own message. It may quote the record's content. */
  message: string;
}

/** A record that PostgreSQL refuses for its content. */
export interface RefusedRecord extends RefusalWords {
  kind: RecordKind;
  /** The workspace's stored id in hexadecimal digits. Null for a record that belongs to no workspace. */
  workspaceId: string | null;
  /** Position in MODES. */
  mode: number | null;
  decisionId: string | null;
  /** A journal entry with only this record and those that accompany it. */
  entry: Buffer;
}

/** Counts the records set aside, and the reports that were answered 200 although their decisions are not stored yet. */
export interface KeptOutcomes {
  /** The number of waiting reports, counted up to 10,000. */
  waiting: number;
  oldestSeconds: number;
  /** The number of records that all nodes have set aside, counted up to 10,000. */
  setAside: number;
}

const NO_WORKSPACE = "0".repeat(32);
const MESSAGE_CHARS_MAX = 1000;

export function refusalWordsOf(error: unknown): Omit<RefusalWords, "statement"> {
  const message = error instanceof Error ? error.message : "";
  return { sqlState: sqlStateOf(error) ?? "", message: message.slice(0, MESSAGE_CHARS_MAX) };
}

/**
 * Sets the record aside and moves the journal's position from `expected` past the record. It is one statement, so both
 * happen or neither. Rejects with advance_journal's PJ001 if the position has moved.
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
