import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { migrate } from "../../../src/platform/postgres/migrate.js";
import { createPool } from "../../../src/platform/postgres/pool.js";
import { createTenantDb, type TenantDb } from "../../../src/platform/postgres/tenant-db.js";
import { closeLater, keepOpen } from "../closing.js";
import { DISK_VARIABLE } from "../machine/test-dir.js";
import { asAdmin, ownerUrl, TEMPLATE_VARIABLE } from "./test-server.js";
import { startTestPostgres } from "./postgres-server.js";

export const MIGRATIONS_DIR = fileURLToPath(new URL("../../../../migrations", import.meta.url));
export const SILENT_LOG = { info: (): void => undefined, warn: (): void => undefined };

export interface TestDatabase {
  /** Connects as the database's owner, which is not a superuser. */
  url: string;
  pool: pg.Pool;
}

let server: Promise<string> | undefined;

/**
 * Creates an empty database that belongs to `owner`. It is on the server of TEST_DATABASE_URL (the `adminUrl` of an
 * embedded server), or on a server of this process.
 */
export function createEmptyDatabase(owner = "payinference"): Promise<TestDatabase> {
  return createDatabase("template1", owner);
}

/** Creates a login that may only connect. */
export async function createPlainUser(): Promise<{ name: string; asAdmin(sql: string): Promise<void> }> {
  const adminUrl = await adminUrlOfServer();
  const name = `user_${randomBytes(8).toString("hex")}`;
  await asAdmin(adminUrl, `create role ${name} login`);
  closeLater(() => asAdmin(adminUrl, `drop role ${name}`));
  return { name, asAdmin: (sql) => asAdmin(adminUrl, sql) };
}

/** Creates a database with the schema. It is a copy of the run's template, where there is one. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = process.env[TEMPLATE_VARIABLE];
  if (template !== undefined) return createDatabase(template);
  const database = await createEmptyDatabase();
  await migrate(database.url, MIGRATIONS_DIR);
  return database;
}

function adminUrlOfServer(): Promise<string> {
  return (server ??=
    process.env["TEST_DATABASE_URL"] === undefined
      ? keepOpen(ownServer)
      : Promise.resolve(process.env["TEST_DATABASE_URL"]));
}

async function createDatabase(template: string, owner = "payinference"): Promise<TestDatabase> {
  const adminUrl = await adminUrlOfServer();
  const name = `test_${randomBytes(8).toString("hex")}`;
  // Copies files instead of logging pages. The data need not survive a crash (measured: 16 ms of CPU, not 49).
  await asAdmin(adminUrl, `create database ${name} template ${template} strategy file_copy owner ${owner}`);
  closeLater(() => asAdmin(adminUrl, `drop database ${name} with (force)`));
  const url = ownerUrl(adminUrl, name, owner);
  return { url, pool: openPool(url) };
}

/**
 * The tests' own connections are not under test, so they may wait. Three test processes share this server at nice 5.
 */
const PATIENCE = { connectionTimeoutMs: 20_000, statementTimeoutMs: 20_000 } as const;

/** Opens a pool that is closed when the test file is done. */
export function openPool(url: string, applicationName = "test"): pg.Pool {
  const pool = createPool({
    connectionString: url,
    connectionsMax: 10,
    ...PATIENCE,
    applicationName,
  });
  closeLater(() => pool.end());
  return pool;
}

const tenantDbs = new WeakMap<pg.Pool, TenantDb>();

/** The tenants of a pool's database, with the same guard as in the service. */
export function tenantsOf(pool: pg.Pool): TenantDb {
  const known = tenantDbs.get(pool);
  if (known !== undefined) return known;
  const tenants = createTenantDb({
    connectionString: pool.options.connectionString as string,
    connectionsMax: 10,
    ...PATIENCE,
    applicationName: "test-tenants",
  });
  closeLater(() => {
    tenantDbs.delete(pool);
    return tenants.end();
  });
  tenantDbs.set(pool, tenants);
  return tenants;
}

/** A directory that is removed when the test file is done. It is mostly in memory. */
export function temporaryDir(): Promise<string> {
  return makeDir(tmpdir());
}

/** Makes a directory on a disk, for a test that needs one. It is removed when the test file is done. */
export function temporaryDirOnDisk(): Promise<string> {
  return makeDir(process.env[DISK_VARIABLE] ?? tmpdir());
}

async function makeDir(parent: string): Promise<string> {
  const dir = await mkdtemp(join(parent, "payinference-test-"));
  closeLater(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function ownServer(): Promise<string> {
  const postgres = await startTestPostgres({ dataDir: await temporaryDir(), log: SILENT_LOG });
  closeLater(() => postgres.stop());
  return postgres.adminUrl;
}
