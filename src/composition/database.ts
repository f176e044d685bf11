import type { Pool } from "pg";
import type { Settings } from "../config/settings.js";
import { startEmbeddedPostgres } from "../persistence/embedded-postgres.js";
import { createPool } from "../persistence/pool.js";
import { createTenantDb, type TenantDb } from "../persistence/tenant-db.js";
import { LIMITS } from "../shared/limits.js";
import type { Logger } from "../telemetry/logger.js";
import { withinCloseTimeout, type Closers } from "./closers.js";

/** Of each of the two pools of the front thread. */
const CONNECTIONS_MAX = 6;

export interface Database {
  url: string;
  /** Sees all tenants. */
  pool: Pool;
  /** Sees one workspace at a time. */
  tenants: TenantDb;
}

/** Starts the embedded PostgreSQL, where DATABASE_URL names no other. The pools connect when they are first asked. */
export async function composeDatabase(
  settings: Settings["database"],
  dataDir: string,
  log: Logger,
  closers: Closers,
): Promise<Database> {
  let url: string;
  if (settings.kind === "embedded") {
    const embedded = await startEmbeddedPostgres({ dataDir, log });
    closers.push(() => embedded.stop());
    url = embedded.url;
  } else {
    url = settings.url;
  }
  const limits = {
    connectionString: url,
    connectionsMax: CONNECTIONS_MAX,
    statementTimeoutMs: LIMITS.databaseReadTimeoutMs,
  };
  const pool = createPool({ ...limits, applicationName: "payinference-front" });
  closers.push(() => withinCloseTimeout(pool.end()));
  const tenants = createTenantDb({ ...limits, applicationName: "payinference-tenants" });
  closers.push(() => withinCloseTimeout(tenants.end()));
  return { url, pool, tenants };
}
