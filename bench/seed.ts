import { randomFillSync } from "node:crypto";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { claimDataDir } from "../src/platform/node/data-dir.js";
import { issueApiKey } from "../src/features/api-keys/issue-api-key.js";
import { insertMerchant } from "../src/features/workspaces/queries/merchant.js";
import { startEmbeddedPostgres } from "../src/platform/postgres/embedded/embedded-postgres.js";
import { migrate } from "../src/platform/postgres/migrate.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { createIdGenerator, isId, createRandomSource } from "../src/domain/ids/ids.js";
import { SCOPES } from "../src/domain/vocabulary/vocabulary.js";
import { closeAll, type Closer } from "./harness/bench-processes.js";
import { fillDatabase } from "./history/fill-database.js";
import { startProgress } from "./history/progress.js";
import { DEFAULT_PROVIDERS } from "./client/traffic.js";
import { insertWorkspace } from "../src/features/workspaces/queries/workspace.js";

const HELP = `npm run seed -- --decisions N [options]

Fills a database with N decisions of the last 90 days, with outcomes, in test mode. Without --workspace a workspace with
three merchants is made, and an API key for it printed.

  --decisions N        how many (default 100000)
  --database-url URL   default: the embedded database under DATA_DIR (./data); the service must not be running on it
  --workspace ws_…     an existing workspace, for the merchants named
  --merchants A,B      merchant ids (default shop_a,shop_b,shop_c)
  --seed N             the same seed gives the same traffic (default 1)
`;

const MIGRATIONS_DIR = fileURLToPath(new URL("../../migrations", import.meta.url));
const DAY_MS = 86_400_000;

const { values } = parseArgs({
  options: {
    decisions: { type: "string", default: "100000" },
    "database-url": { type: "string" },
    workspace: { type: "string" },
    merchants: { type: "string", default: "shop_a,shop_b,shop_c" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

const closers: Closer[] = [];
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`seed: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await closeAll(closers);
}

async function main(): Promise<number> {
  const decisions = Number(values.decisions);
  if (
    values.help ||
    !Number.isSafeInteger(decisions) ||
    decisions < 1 ||
    !Number.isInteger(Number(values.seed))
  ) {
    process.stdout.write(HELP);
    return values.help ? 0 : 2;
  }
  if (values.workspace !== undefined && !isId(values.workspace, "ws"))
    throw new Error("--workspace is not an id");
  const url = values["database-url"] ?? (await embeddedUrl());
  await migrate(url, MIGRATIONS_DIR);
  const pool = createPool({
    connectionString: url,
    connectionsMax: 2,
    statementTimeoutMs: 120_000,
    applicationName: "payinference-seed",
  });
  closers.push(() => pool.end());
  const ids = createIdGenerator(createRandomSource(randomFillSync));
  const newId = (prefix: string): string => `${prefix}_${ids.next(Date.now())}`;
  const merchants = values.merchants.split(",").filter((id) => id !== "");
  const workspaceId = values.workspace ?? newId("ws");
  let secret: string | null = null;
  if (values.workspace === undefined) await insertWorkspace(pool, { workspaceId, name: "Seeded" });
  for (const merchantId of merchants) await insertMerchant(pool, { workspaceId, merchantId });
  if (values.workspace === undefined) {
    const key = {
      keyId: newId("key"),
      workspaceId,
      name: "Seed",
      mode: "test",
      scopes: [...SCOPES],
    } as const;
    ({ secret } = await issueApiKey(pool, {
      ...key,
      scopes: [...SCOPES],
      merchantId: null,
      expiresAt: null,
    }));
  }
  const toMs = Date.now();
  const progress = startProgress("decisions", decisions);
  const history = {
    seed: Number(values.seed),
    workspaceId,
    mode: "test",
    merchants,
    providers: DEFAULT_PROVIDERS,
    decisions,
    fromMs: toMs - 90 * DAY_MS,
    toMs,
  } as const;
  await fillDatabase(pool, newId("seed"), history, progress.update).finally(progress.stop);
  process.stdout.write(`${decisions} decisions in workspace ${workspaceId}\n`);
  if (secret !== null) process.stdout.write(`API key (test mode, all scopes): ${secret}\n`);
  return 0;
}

async function embeddedUrl(): Promise<string> {
  const dataDir = resolve(process.env["DATA_DIR"] ?? "./data");
  closers.push(await claimDataDir(dataDir));
  const log = {
    info: (): void => undefined,
    warn: (_: object, message: string): void => void process.stderr.write(`${message}\n`),
  };
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  closers.push(() => postgres.stop());
  return postgres.url;
}
