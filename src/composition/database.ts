import type { Pool } from "pg";
import type { Settings } from "../platform/settings/settings.js";
import { startEmbeddedPostgres } from "../platform/postgres/embedded/embedded-postgres.js";
import { createPool } from "../platform/postgres/pool.js";
import { createTenantDb, type TenantDb } from "../platform/postgres/tenant-db.js";
import type { Logger } from "../platform/telemetry/logger.js";
import { SERVER_STOP_MS, withinCloseTimeout, type Closers } from "./closers.js";

/** Of each of the two pools of the front thread. */
const CONNECTIONS_MAX = 6;
/** Of the pool that sees one workspace at a time: where its statements are slow, one is left for the others. */
const WORKSPACE_CONNECTIONS_MAX = 5;

export interface Database {
  url: string;
  /** Sees all tenants. */
  pool: Pool;
  /** Sees one workspace at a time. */
  tenants: TenantDb;
  /** For its signs of life: a connection that nothing else waits for. */
  watchPool: Pool;
}

export interface DatabaseParts {
  settings: Pick<Settings, "database" | "patience">;
  dataDir: string;
  /** What is left of the time in which all has to be closed. */
  closeWithinMs(): number;
  /** Aborted where the start is given up. */
  stopping: AbortSignal;
  log: Logger;
  closers: Closers;
}

/** Starts the embedded PostgreSQL, where DATABASE_URL names no other. The pools connect when they are first asked. */
export async function composeDatabase(parts: DatabaseParts): Promise<Database> {
  const { settings, dataDir, closeWithinMs, stopping, log, closers } = parts;
  let url: string;
  if (settings.database.kind === "embedded") {
    const embedded = await startEmbeddedPostgres({ dataDir, log, stopping });
    closers.push(() => embedded.stop(Math.max(SERVER_STOP_MS, closeWithinMs())));
    url = embedded.url;
  } else {
    url = settings.database.url;
  }
  const limits = {
    connectionString: url,
    connectionsMax: CONNECTIONS_MAX,
    statementTimeoutMs: settings.patience.databaseReadTimeoutMs,
    connectionTimeoutMs: settings.patience.databaseReadTimeoutMs,
  };
  const pool = createPool({ ...limits, applicationName: "payinference-front" });
  closers.push(() => withinCloseTimeout(pool.end()));
  const tenants = createTenantDb({
    ...limits,
    workspaceConnectionsMax: WORKSPACE_CONNECTIONS_MAX,
    applicationName: "payinference-tenants",
  });
  closers.push(() => withinCloseTimeout(tenants.end()));
  const watchPool = createPool({ ...limits, connectionsMax: 1, applicationName: "payinference-watch" });
  closers.push(() => withinCloseTimeout(watchPool.end()));
  return { url, pool, tenants, watchPool };
}
