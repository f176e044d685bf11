import type { WriterStep } from "./batch-connections.js";
import { sqlStateOf } from "../../platform/postgres/sql-state.js";

/** A range of journal records by sequence: after `after`, up to and including `through`. */
export interface DrainedRange {
  after: number;
  through: number;
  rows: number;
}

/** The writer's work at a failure of PostgreSQL: names and numbers for the log, never contents. */
export interface WriteFailure {
  /** Null if the connection broke or PostgreSQL did not answer in time. */
  sqlState: string | null;
  step: WriterStep;
  /** Null before a batch was read. */
  batch: DrainedRange | null;
  /** The table whose constraint failed, if one did. */
  table: string | null;
  /** The innermost function that was running in PostgreSQL, perhaps a trigger's. */
  function: string | null;
}

/** Matches the name only, because PostgreSQL's context may quote a row after it. An identifier has at most 63 bytes. */
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
