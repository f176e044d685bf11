import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createPool } from "../src/platform/postgres/pool.js";
import { DEFAULT_PROVIDERS } from "./client/traffic.js";
import { servicePostgres } from "./harness/bench-postgres.js";
import type { BenchService } from "./harness/bench-service.js";
import { call } from "./harness/service-call.js";
import { runBesideCommand } from "./harness/beside-command.js";
import { fillDatabase } from "./history/fill-database.js";
import { startProgress } from "./history/progress.js";

const HELP = `npm run bench:exports -- [--rounds 7] [--seconds 5] [--rate 500] [--rows 1000000]

p99 of decisions at a fixed rate (open loop, timed from when each was due) alone and while an export of so many rows as
CSV is written, by turns. Exits 1 when the export raises it by more than 20 %, over all rounds, 2 when the host is
not quiet enough to judge.
`;

const DAY_MS = 86_400_000;
const POLL_MS = 50;

interface Demo {
  email: string;
  password: string;
  workspace_id: string;
  merchant_id: string;
}

interface Export {
  id: string;
  status: string;
  rows: number;
}

interface Exporter {
  token: string;
  fromMs: number;
  toMs: number;
}

let exporter: Exporter | undefined;

await runBesideCommand({
  name: "bench:exports",
  help: HELP,
  disturbers: "rows",
  count: 1_000_000,
  async disturb(service, rows) {
    exporter ??= await prepare(service, rows);
    return startExport(service, exporter);
  },
});

/** Fills the service's database with decisions to export, and signs in. */
async function prepare(service: BenchService, decisions: number): Promise<Exporter> {
  const demo = JSON.parse(await readFile(join(service.dataDir, "demo.json"), "utf8")) as Demo;
  const toMs = Date.now();
  const fromMs = toMs - 28 * DAY_MS;
  const pool = createPool({
    connectionString: (await servicePostgres(service.dataDir)).url,
    connectionsMax: 2,
    statementTimeoutMs: 600_000,
    applicationName: "payinference-bench-exports",
  });
  const { workspace_id: workspaceId, merchant_id: merchant } = demo;
  const history = {
    seed: 1,
    workspaceId,
    mode: "test",
    merchants: [merchant],
    fromMs,
    toMs,
    decisions,
  } as const;
  const progress = startProgress(`filling ${decisions}`, decisions);
  await fillDatabase(pool, "bench", { ...history, providers: DEFAULT_PROVIDERS }, progress.update).finally(
    progress.stop,
  );
  await pool.query("vacuum analyze");
  await pool.end();
  const { email, password } = demo;
  const { session } = await call<{ session: { token: string } }>(service, null, "POST", "/v1/auth/login", {
    email,
    password,
  });
  return { token: session.token, fromMs, toMs };
}

/**
 * Starts an export. Resolves once its first rows are written. `end` deletes the export and returns the number of rows
 * written since.
 */
async function startExport(
  service: BenchService,
  { token, fromMs, toMs }: Exporter,
): Promise<{ end(): Promise<number> }> {
  const asked = {
    kind: "decisions",
    format: "csv",
    mode: "test",
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
  };
  const { export: begun } = await call<{ export: Export }>(service, token, "POST", "/v1/exports", asked);
  const path = `/v1/exports/${begun.id}`;
  const now = async (): Promise<Export> =>
    (await call<{ export: Export }>(service, token, "GET", path)).export;
  let first = await now();
  while (first.status === "queued" || first.rows === 0) {
    await sleep(POLL_MS);
    first = await now();
  }
  return {
    async end() {
      const last = await now();
      // An export that ended early did not run during the whole round, so the round is not comparable.
      if (last.status !== "running")
        throw new Error(`the export was ${last.status} after ${last.rows} rows: give it more`);
      await call(service, token, "DELETE", path);
      return last.rows - first.rows;
    },
  };
}
