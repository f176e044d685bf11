import type { ReadFailure } from "../http/api-error.js";
import { refusalOf } from "./sql-state.js";
import { within } from "../timing/within.js";

export interface DatabaseReadOptions {
  /** False if PostgreSQL is known to be away. `unavailable` is then the answer at once. */
  isReachable(): boolean;
  /** Resolves to true when a read would see all that this node has acknowledged, or to false after `timeoutMs`. */
  persisted(timeoutMs: number): Promise<boolean>;
  /** DUR-5: reads are answered within 2 s, even while PostgreSQL is frozen. Waiting and reading share this time. */
  timeoutMs: number;
  /** Called after each failed read, with the SQLSTATE of PostgreSQL's refusal (`refusalOf`) or null. */
  onRefusal(sqlState: string | null): void;
}

/** Runs a read that sees this node's own writes. Resolves to `unavailable` if PostgreSQL cannot answer in time. */
export type DatabaseRead = <T>(work: () => Promise<T>) => Promise<T | "unavailable">;

/** Errors of these classes are bugs in the service. All others come from PostgreSQL or the network. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError] as const;

export function createDatabaseRead(options: DatabaseReadOptions): DatabaseRead {
  const { isReachable, persisted, timeoutMs, onRefusal } = options;
  return async (work) => {
    const startedMs = performance.now();
    if (!isReachable() || !(await persisted(timeoutMs))) return "unavailable";
    const remainingMs = timeoutMs - (performance.now() - startedMs);
    const working = work().catch((error: unknown) => {
      if (BUGS.some((bug) => error instanceof bug)) throw error;
      onRefusal(refusalOf(error));
      return "unavailable" as const;
    });
    return within(working, remainingMs, "unavailable" as const);
  };
}

/** An answer as finished JSON text. */
export interface FoundJson {
  json: string;
}

/** A read that sees this node's own writes. Null means that the object does not exist. */
export type ReadLog<Request> = (request: Request) => Promise<FoundJson | null | ReadFailure>;

/**
 * The reader thread's functions, one for each kind of read. They resolve to JSON text, or to null if nothing was found.
 */
export type Readers<Request extends { kind: string }> = {
  [Kind in Request["kind"]]: (request: Extract<Request, { kind: Kind }>) => Promise<string | null>;
};

/** Turns what was found into JSON text. */
export async function written(finding: Promise<object | null>): Promise<string | null> {
  const found = await finding;
  return found === null ? null : JSON.stringify(found);
}
