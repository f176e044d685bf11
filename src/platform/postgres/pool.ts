import pg, { type ClientBase, type Pool } from "pg";

export interface PoolOptions {
  connectionString: string;
  /** Connections held at most; each thread that talks to PostgreSQL has its own pool. */
  connectionsMax: number;
  /** The server cancels a statement that runs longer. */
  statementTimeoutMs: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** An idle connection broke: PostgreSQL went away or was restarted. The pool has already dropped it. */
  onIdleError?: (error: Error) => void;
  /** Waiting for a free one included; 1.5 s where it is left out. */
  connectionTimeoutMs?: number;
}

export const CONNECTION_TIMEOUT_MS = 1_500;
const IDLE_TIMEOUT_MS = 30_000;

/**
 * A pool that survives PostgreSQL's absence: getting a connection fails in time, no query outlives its timeout by
 * more than a second even on a dead network, and a broken idle connection never reaches the process as an error event.
 */
export function createPool(
  options: PoolOptions,
  /** Awaited before the first use of each connection, which is refused when this rejects. */
  onConnect?: (client: pg.ClientBase) => unknown,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    application_name: options.applicationName,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + 1_000,
    keepAlive: true,
    ...(onConnect === undefined ? {} : { onConnect }),
  });
  pool.on("error", (error) => options.onIdleError?.(error));
  // A client that breaks while it is checked out and idle emits on itself as well.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** What a query over all tenants runs on, as the owner of the tables: the pool, or a client inside a transaction. */
export type Queryable = Pool | ClientBase;
