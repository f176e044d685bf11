import type { WriterStep } from "./decision-writer.js";
import { sqlStateOf } from "../../platform/postgres/sql-state.js";

/** The journal records with a sequence after `after`, up to and including `through`. */
export interface DrainedRange {
  after: number;
  through: number;
  rows: number;
}

/**
 * What the writer was doing when PostgreSQL failed, as names and numbers for the log. It never has a record's content.
 */
export interface WriteFailure {
  /** Null if the connection broke or PostgreSQL did not answer in time. */
  sqlState: string | null;
  step: WriterStep;
  /** Null if no batch had been read. */
  batch: DrainedRange | null;
  /** The table whose constraint failed. Null if none did. */
  table: string | null;
  /** The innermost function that was running in PostgreSQL, perhaps a trigger's. */
  function: string | null;
}

/**
 * Matches only the function's name, because PostgreSQL's context may quote a row after it. An identifier has at most 63
 * bytes.
 */
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

/** The failure's fields as the log shows them. */
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
