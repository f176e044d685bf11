import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEmbeddedPostgres } from "../../src/persistence/embedded-postgres.js";
import { migrate } from "../../src/persistence/migrate.js";
import { createPool } from "../../src/persistence/pool.js";

export const MIGRATIONS_DIR = fileURLToPath(new URL("../../../migrations", import.meta.url));
export const SILENT_LOG = { info: (): void => undefined, warn: (): void => undefined };

export interface TestDatabase {
  /** As the database's owner, who is no superuser. */
  url: string;
  pool: pg.Pool;
}

/** Run in reverse order when the test file is done. */
const closers: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closers.toReversed()) await close();
});

let server: Promise<string> | undefined;

/** A fresh database on the server of TEST_DATABASE_URL (the `adminUrl` of an embedded server), or on one of our own. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  server ??=
    process.env["TEST_DATABASE_URL"] === undefined
      ? ownServer()
      : Promise.resolve(process.env["TEST_DATABASE_URL"]);
  const adminUrl = await server;
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdmin(adminUrl, `create database ${name} owner payinference`);
  closers.push(() => asAdmin(adminUrl, `drop database ${name} with (force)`));
  const url = adminUrl
    .replace("postgres://postgres@", "postgres://payinference@")
    .replace("/postgres?", `/${name}?`);
  return { url, pool: openPool(url) };
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  await migrate(database.url, MIGRATIONS_DIR);
  return database;
}

/** A pool that is closed when the test file is done. */
export function openPool(url: string, applicationName = "test"): pg.Pool {
  const pool = createPool({
    connectionString: url,
    connectionsMax: 10,
    statementTimeoutMs: 20_000,
    applicationName,
  });
  closers.push(() => pool.end());
  return pool;
}

/** A directory that is removed when the test file is done. */
export async function temporaryDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "payinference-test-"));
  closers.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function ownServer(): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: await temporaryDir(), log: SILENT_LOG });
  closers.push(() => postgres.stop());
  return postgres.adminUrl;
}

async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
