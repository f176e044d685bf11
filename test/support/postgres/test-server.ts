import pg from "pg";
import { migrate } from "../../../src/platform/postgres/migrate.js";

/** The server that all test files of a run share. Nothing here registers with node:test: the runner uses it too. */

const TEMPLATE = "test_template";

/** Names the database that `makeTemplate` made, for the test files. */
export const TEMPLATE_VARIABLE = "TEST_DATABASE_TEMPLATE";

/** `adminUrl` as the database's owner, who is no superuser, on database `name`. */
export function ownerUrl(adminUrl: string, name: string, owner = "payinference"): string {
  return adminUrl.replace("postgres://postgres@", `postgres://${owner}@`).replace("/postgres?", `/${name}?`);
}

export async function asAdmin(adminUrl: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * What a run's own server need not do: its data is gone with it, so nothing has to outlive the machine, and a hundred
 * databases of a few seconds each are not worth a vacuum. What the service sets for its own server stays as it is.
 */
export async function relaxServer(adminUrl: string): Promise<void> {
  await asAdmin(
    adminUrl,
    "alter system set fsync = off",
    "alter system set full_page_writes = off",
    "alter system set autovacuum = off",
    "alter system set max_wal_size = '512MB'",
    "select pg_reload_conf()",
  );
}

/** A database with the schema, once a run, of which all others are copies; resolves to its name. */
export async function makeTemplate(adminUrl: string, migrationsDir: string): Promise<string> {
  await asAdmin(adminUrl, `create database ${TEMPLATE} owner payinference`);
  await migrate(ownerUrl(adminUrl, TEMPLATE), migrationsDir);
  return TEMPLATE;
}
