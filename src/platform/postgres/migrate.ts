import pg from "pg";
import { migrate as runMigrations } from "postgres-migrations";
import { assertMigrationsSurvived } from "./living-nodes.js";
import { assertSupportedPostgres } from "./postgres-version.js";
import { ensureTenantRole } from "./tenant-role.js";

/** Any number that no other advisory lock of ours uses; "payi" in ASCII. */
const MIGRATION_LOCK = 0x70617969;

/**
 * Brings the database to the schema of `migrationsDir` (NNNN_name.sql, applied in order, each in a transaction).
 * Safe with any number of concurrent starters: they queue on a lock of the server and find the work done.
 * Rejects with PostgresVersionError on a server of another version than is supported, and with LivingNodesError where a
 * migration would break nodes that are alive; `ownNodeId` is the node that starts.
 * Needs no superuser: only a role that may create tables in its schema, and the role of tenants or CREATEROLE to make it.
 */
export async function migrate(
  connectionString: string,
  migrationsDir: string,
  ownNodeId: string | null = null,
): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    application_name: "payinference-migrate",
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await assertSupportedPostgres(client);
    // postgres-migrations takes its own lock by polling once a second; queueing here first spares late starters that wait.
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await ensureTenantRole(client);
    await assertMigrationsSurvived(client, migrationsDir, ownNodeId);
    await runMigrations({ client }, migrationsDir);
  } finally {
    // Ends the session, and with it the lock.
    await client.end().catch(() => undefined);
  }
}
