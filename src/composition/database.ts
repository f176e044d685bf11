import type { Pool } from "pg";
import { startEmbeddedPostgres } from "../platform/postgres/embedded/embedded-postgres.js";
import { createPool } from "../platform/postgres/pool.js";
import { createTenantDb, type TenantDb } from "../platform/postgres/tenant-db.js";
import { now } from "../platform/timing/clock.js";
import { SERVER_STOP_MS, withinCloseTimeout } from "./closers.js";
import type { OpenNode } from "./node.js";

/** The size of each of the front thread's two pools. */
const CONNECTIONS_MAX = 6;
/** The most connections that one workspace may hold. One is left for other workspaces. */
const WORKSPACE_CONNECTIONS_MAX = 5;

export interface Database {
  url: string;
  /** Its connections see the rows of all tenants. */
  pool: Pool;
  /** Its statements see the rows of one workspace at a time. */
  tenants: TenantDb;
  /** One connection that only checks whether PostgreSQL answers. */
  watchPool: Pool;
  /** True if PostgreSQL has been prepared and answers. */
  isReachable(): boolean;
  notePrepared(): void;
  /** Called by the watch of database-watch.ts. */
  noteAnswers(answers: boolean): void;
}

/**
 * The third phase of a start: starts the embedded PostgreSQL if DATABASE_URL is unset. The pools connect at their first
 * use. Abort `stopping` to give the start up.
 */
export async function openDatabase(
  { settings, dataDir, log, closers }: OpenNode,
  stopping: AbortSignal,
): Promise<Database> {
  let url: string;
  if (settings.database.kind === "embedded") {
    const embedded = await startEmbeddedPostgres({ dataDir, log, stopping });
    closers.push(({ closeUntilMs }) =>
      embedded.stop(Math.max(SERVER_STOP_MS, closeUntilMs - performance.now())),
    );
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
    retention: { days: settings.retentionDays, now },
    workspaceConnectionsMax: WORKSPACE_CONNECTIONS_MAX,
    applicationName: "payinference-tenants",
  });
  closers.push(() => withinCloseTimeout(tenants.end()));
  const watchPool = createPool({ ...limits, connectionsMax: 1, applicationName: "payinference-watch" });
  closers.push(() => withinCloseTimeout(watchPool.end()));
  return { url, pool, tenants, watchPool, ...createReach() };
}

function createReach(): Pick<Database, "isReachable" | "notePrepared" | "noteAnswers"> {
  let isPrepared = false;
  let isAnswering = true;
  return {
    isReachable: () => isPrepared && isAnswering,
    notePrepared() {
      isPrepared = true;
    },
    noteAnswers(answers) {
      isAnswering = answers;
    },
  };
}
