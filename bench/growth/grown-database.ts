import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEmbeddedPostgres } from "../../src/platform/postgres/embedded/embedded-postgres.js";
import { migrate } from "../../src/platform/postgres/migrate.js";
import type { Closer } from "../harness/bench-processes.js";
import { emptyDataDir } from "../harness/bench-service.js";
import { growTenants, type GrownTenants } from "./grown-tenants.js";

const MIGRATIONS_DIR = fileURLToPath(new URL("../../../migrations", import.meta.url));
/** Of a million policies on a host that is busy with something else. */
const STATEMENT_TIMEOUT_MS = 600_000;
/** Of the embedded server; it may make no databases, but own them. */
const OWNER = "payinference";

export interface GrownDatabase {
  tenants: GrownTenants;
  url: string;
  /** Of the one service that runs on it. */
  dataDir: string;
  grownInMs: number;
  databaseBytes: number;
  /** Gives its disk back before the next one grows. */
  drop(): Promise<void>;
}

export interface Cluster {
  /** Migrated as the service does it, and then filled. */
  grow(name: string, tenants: GrownTenants): Promise<GrownDatabase>;
}

/** The bench's own PostgreSQL, as the service embeds it: services come and go, and their databases stay. */
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
      // Otherwise it would come some time during the measurement.
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

/** The live policy of each of these merchants, as the seed stored them: ids as PostgreSQL writes them. */
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
