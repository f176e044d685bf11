import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEmbeddedPostgres } from "../../src/platform/postgres/embedded/embedded-postgres.js";
import { migrate } from "../../src/platform/postgres/migrate.js";
import type { Closer } from "../harness/bench-processes.js";
import { emptyDataDir } from "../harness/bench-service.js";
import { growTenants, type GrownTenants } from "./grown-tenants.js";

const MIGRATIONS_DIR = fileURLToPath(new URL("../../../migrations", import.meta.url));
/** Enough to insert a million policies on a busy host. */
const STATEMENT_TIMEOUT_MS = 600_000;
/** The role in the embedded server. It may own databases, but not create them. */
const OWNER = "payinference";

export interface GrownDatabase {
  tenants: GrownTenants;
  url: string;
  /** The DATA_DIR of the only service on this database. */
  dataDir: string;
  grownInMs: number;
  databaseBytes: number;
  /** Drops the database, so that its disk space is free before the next one grows. */
  drop(): Promise<void>;
}

export interface Cluster {
  /** Migrates a new database as the service does, and fills it. */
  grow(name: string, tenants: GrownTenants): Promise<GrownDatabase>;
}

/** Starts the bench's own PostgreSQL, as the service embeds it. It outlives the services, and so do their databases. */
export async function startCluster(closers: Closer[]): Promise<Cluster> {
  const clusterDir = await emptyDataDir(closers);
  const server = await startEmbeddedPostgres({
    dataDir: clusterDir,
    log: { info: () => undefined, warn: (_, message) => void process.stderr.write(`${message}\n`) },
  });
  closers.push(() => server.stop());
  const asAdmin = (statement: string): Promise<unknown> =>
    withClient(server.adminUrl, (client) => client.query(statement));
  return {
    async grow(name, tenants) {
      const url = server.url.replace(`@/${OWNER}?`, `@/${name}?`);
      const beganMs = performance.now();
      await asAdmin(`create database ${name} owner ${OWNER}`);
      await migrate(url, MIGRATIONS_DIR);
      const databaseBytes = await withClient(url, async (client) => {
        await withClient(url, (second) => growTenants([client, second], tenants));
        const { rows } = await client.query<{ bytes: string }>(
          "select pg_database_size(current_database()) as bytes",
        );
        return Number(rows[0]?.bytes);
      });
      // Without this checkpoint, one would run during the measurement.
      await asAdmin("checkpoint");
      const grownInMs = performance.now() - beganMs;
      const dataDir = await emptyDataDir(closers);
      const drop = async (): Promise<void> => {
        await asAdmin(`drop database ${name} with (force)`);
        await rm(dataDir, { recursive: true, force: true });
      };
      return { tenants, url, dataDir, grownInMs, databaseBytes, drop };
    },
  };
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, statement_timeout: STATEMENT_TIMEOUT_MS });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The live policies of these merchants as the seed stored them. Ids are in PostgreSQL's form. */
export async function livePolicyUuids(
  { url }: GrownDatabase,
  merchants: readonly { workspace: number; merchantId: string }[],
): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ policy_id: string }>(
      `select p.policy_id
       from unnest($1::text[], $2::text[]) with ordinality asked (workspace_name, merchant_id, position)
       join workspaces w on w.name = asked.workspace_name
       join policies p on p.workspace_id = w.workspace_id and p.merchant_id = asked.merchant_id and p.status = 1
       order by position`,
      [merchants.map(({ workspace }) => `Grown ${workspace}`), merchants.map(({ merchantId }) => merchantId)],
    );
    return rows.map(({ policy_id }) => policy_id);
  });
}
