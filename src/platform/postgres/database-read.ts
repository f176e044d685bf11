import { refusalOf } from "./sql-state.js";
import { within } from "../timing/within.js";

export interface DatabaseReadOptions {
  /** False while PostgreSQL is known to be away: the answer is then immediate. */
  isReachable(): boolean;
  /** Resolves once what this node has acknowledged can be read; false when that takes longer than `timeoutMs`. */
  persisted(timeoutMs: number): Promise<boolean>;
  /** DUR-5: reads answer within 2 s, also when PostgreSQL is frozen; waiting and reading share this time. */
  timeoutMs: number;
  /** After each read that failed: what PostgreSQL refused it with (`refusalOf`), or null. */
  onRefusal(sqlState: string | null): void;
}

/** Runs a read that sees this node's own writes; `unavailable` when PostgreSQL cannot answer it in time. */
export type DatabaseRead = <T>(work: () => Promise<T>) => Promise<T | "unavailable">;

/** Errors of ours; whatever else a read rejects with is PostgreSQL's or the network's. */
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

/** An answer that is finished. */
export interface FoundJson {
  json: string;
}

/** A read that sees this node's own writes; null for what does not exist, `unavailable` while PostgreSQL is away. */
export type ReadLog<Request> = (request: Request) => Promise<FoundJson | null | "unavailable">;

/** One function for each kind of read, on the reader thread: finished JSON, or null for what does not exist. */
export type Readers<Request extends { kind: string }> = {
  [Kind in Request["kind"]]: (request: Extract<Request, { kind: Kind }>) => Promise<string | null>;
};

/** A finding as JSON text. */
export async function written(finding: Promise<object | null>): Promise<string | null> {
  const found = await finding;
  return found === null ? null : JSON.stringify(found);
}
