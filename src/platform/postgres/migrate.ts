import pg from "pg";
import { migrate as runMigrations } from "postgres-migrations";
import { assertMigrationsSurvived } from "./living-nodes.js";
import { assertSupportedPostgres } from "./postgres-version.js";
import { ensureTenantRole } from "./tenant-role.js";

/** "payi" in ASCII. No other advisory lock of the service may use this number. */
const MIGRATION_LOCK = 0x70617969;

/**
 * Brings the database to the schema of `migrationsDir`. Its files (NNNN_name.sql) are applied in order, each in a
 * transaction. Any number of nodes may run it at once: they queue on a lock of the server, and all but the first find
 * the work done. Rejects with PostgresVersionError if the server's version is not supported. Rejects with
 * LivingNodesError if a migration would break nodes that are alive; `ownNodeId` is the node that starts. The user needs
 * no superuser rights. It must be allowed to create tables in its schema. It also needs the role of tenants, or
 * CREATEROLE to create that role.
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
    // postgres-migrations polls for its own lock once a second. A node that waits for this lock goes on at once.
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await ensureTenantRole(client);
    await assertMigrationsSurvived(client, migrationsDir, ownNodeId);
    await runMigrations({ client }, migrationsDir);
  } finally {
    // The end of the session releases the lock.
    await client.end().catch(() => undefined);
  }
}
