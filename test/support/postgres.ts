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
import { createTenantDb, type TenantDb } from "../../src/persistence/tenant-db.js";

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

/** The server of TEST_DATABASE_URL (the `adminUrl` of an embedded server), or one of our own. */
function adminUrlOfServer(): Promise<string> {
  return (server ??=
    process.env["TEST_DATABASE_URL"] === undefined
      ? ownServer()
      : Promise.resolve(process.env["TEST_DATABASE_URL"]));
}

/** A fresh database that belongs to `owner`, and is connected to as them. */
export async function createEmptyDatabase(owner = "payinference"): Promise<TestDatabase> {
  const adminUrl = await adminUrlOfServer();
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdmin(adminUrl, `create database ${name} owner ${owner}`);
  closers.push(() => asAdmin(adminUrl, `drop database ${name} with (force)`));
  const url = adminUrl
    .replace("postgres://postgres@", `postgres://${owner}@`)
    .replace("/postgres?", `/${name}?`);
  return { url, pool: openPool(url) };
}

/** A login that may nothing but connect. */
export async function createPlainUser(): Promise<{ name: string; asAdmin(sql: string): Promise<void> }> {
  const adminUrl = await adminUrlOfServer();
  const name = `user_${randomBytes(8).toString("hex")}`;
  await asAdmin(adminUrl, `create role ${name} login`);
  closers.push(() => asAdmin(adminUrl, `drop role ${name}`));
  return { name, asAdmin: (sql) => asAdmin(adminUrl, sql) };
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

const tenantDbs = new WeakMap<pg.Pool, TenantDb>();

/** The tenants of a pool's database, guarded as they are in the service. */
export function tenantsOf(pool: pg.Pool): TenantDb {
  const known = tenantDbs.get(pool);
  if (known !== undefined) return known;
  const tenants = createTenantDb({
    connectionString: pool.options.connectionString as string,
    connectionsMax: 10,
    statementTimeoutMs: 20_000,
    applicationName: "test-tenants",
  });
  closers.push(() => tenants.end());
  tenantDbs.set(pool, tenants);
  return tenants;
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
