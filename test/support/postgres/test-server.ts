import pg from "pg";
import { migrate } from "../../../src/platform/postgres/migrate.js";

/** All test files of a run share this server. Nothing here registers with node:test, because the runner uses it too. */

const TEMPLATE = "test_template";

/** The name of the variable that names the template database, which `makeTemplate` makes. */
export const TEMPLATE_VARIABLE = "TEST_DATABASE_TEMPLATE";

/** Returns the address of database `name` for the database's owner, which is not a superuser. */
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
 * Turns off durability and vacuum. A run's data is thrown away afterwards, and a hundred short-lived databases need no
 * vacuum. The service's settings for its own server stay.
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

/** Makes a database with the schema, once a run. All other databases are copies of it. Resolves to its name. */
export async function makeTemplate(adminUrl: string, migrationsDir: string): Promise<string> {
  await asAdmin(adminUrl, `create database ${TEMPLATE} owner payinference`);
  await migrate(ownerUrl(adminUrl, TEMPLATE), migrationsDir);
  return TEMPLATE;
}
