import type { WriterStep } from "./batch-connections.js";
import { sqlStateOf } from "../../platform/postgres/sql-state.js";

/** Records of the journal, by sequence: after `after`, up to `through`. */
export interface DrainedRange {
  after: number;
  through: number;
  rows: number;
}

/** What the writer was doing when PostgreSQL failed it: names and numbers for the log, never content. */
export interface WriteFailure {
  /** Null where the connection broke, or nothing was answered in time. */
  sqlState: string | null;
  step: WriterStep;
  /** Null before a batch was read. */
  batch: DrainedRange | null;
  /** The table whose constraint failed. */
  table: string | null;
  /** The innermost function that was running in PostgreSQL, perhaps a trigger's. */
  function: string | null;
}

/** An identifier is 63 bytes at most. Behind the name PostgreSQL's context may quote a row. */
const INNERMOST_FUNCTION = /\bPL\/pgSQL function (?:\w{1,63}\.)?(\w{1,63})\(/;
const IDENTIFIER = /^\w{1,63}$/;

export function describeFailure(error: unknown, step: WriterStep, batch: DrainedRange | null): WriteFailure {
  const { table, where } = (error ?? {}) as { table?: unknown; where?: unknown };
  return {
    sqlState: sqlStateOf(error),
    step,
    batch,
    table: typeof table === "string" && IDENTIFIER.test(table) ? table : null,
    function: typeof where === "string" ? (INNERMOST_FUNCTION.exec(where)?.[1] ?? null) : null,
  };
}

/** As the log shows it. */
export function failureFields(failure: WriteFailure): object {
  const { sqlState, step, batch, table, function: inFunction } = failure;
  return {
    sqlstate: sqlState,
    phase: step.phase,
    statement: step.name,
    ...(table === null ? {} : { table }),
    ...(inFunction === null ? {} : { function: inFunction }),
    ...(batch === null ? {} : { after: batch.after, through: batch.through, rows: batch.rows }),
  };
}
