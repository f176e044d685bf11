import pg, { type ClientBase, type Pool } from "pg";

export interface PoolOptions {
  connectionString: string;
  /** The most connections of the pool. Each thread that talks to PostgreSQL has its own pool. */
  connectionsMax: number;
  /** The server cancels a statement that runs for longer. */
  statementTimeoutMs: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** Called when an idle connection broke because PostgreSQL went away. The pool has already removed the connection. */
  onIdleError?: (error: Error) => void;
  /** The longest wait for a connection, including the wait for a free one. Default: CONNECTION_TIMEOUT_MS. */
  connectionTimeoutMs?: number;
}

export const CONNECTION_TIMEOUT_MS = 1_500;
const IDLE_TIMEOUT_MS = 30_000;

/**
 * A pool that survives PostgreSQL's absence. A request for a connection fails after `connectionTimeoutMs`. No query
 * takes more than a second longer than its timeout, even on a dead network. A broken idle connection never ends the
 * process with an error event.
 */
export function createPool(
  options: PoolOptions,
  /** The pool awaits it before the first use of each connection, and refuses the connection if it rejects. */
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
  // A client that breaks while it is checked out, but runs no query, emits the error itself. Without a listener, that
  // error would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** A connection for queries over all tenants, as the owner of the tables: the pool, or a client in a transaction. */
export type Queryable = Pool | ClientBase;
