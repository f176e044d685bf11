import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

export interface ServicePostgres {
  postmasterPid: number;
  /** The address of the service's database. */
  url: string;
  /** The address of database `postgres`, as superuser. */
  adminUrl: string;
}

/**
 * Finds the embedded server of a DATA_DIR by lines 1 and 5 of its postmaster.pid (src/backend/utils/init/miscinit.c).
 */
export async function servicePostgres(dataDir: string): Promise<ServicePostgres> {
  const lines = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  const host = encodeURIComponent((lines[4] ?? "").trim());
  return {
    postmasterPid: Number(lines[0]),
    url: `postgres://payinference@/payinference?host=${host}`,
    adminUrl: `postgres://postgres@/postgres?host=${host}`,
  };
}

/** Creates an empty database for row (d) in the cluster of row (b), so that both rows write to the same PostgreSQL. */
export async function createRivalDatabase(postgres: Pick<ServicePostgres, "adminUrl">): Promise<string> {
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query("CREATE DATABASE rival");
  await admin.end();
  return postgres.adminUrl.replace("@/postgres?", "@/rival?");
}

/** The number of decisions or outcomes in PostgreSQL. */
export async function countStored(client: pg.Client, kind: "decisions" | "outcomes"): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${kind}`);
  return Number(rows[0]?.count);
}

/** Stops the database server that a killed service has left running. */
export async function stopOrphanedPostgres(dataDir: string): Promise<void> {
  try {
    process.kill((await servicePostgres(dataDir)).postmasterPid, "SIGQUIT");
  } catch {
    // The process is already gone, as it should be.
  }
}
