import { randomFillSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Pool } from "pg";
import { createBacktests } from "../src/features/policies/backtest/backtest-thread.js";
import type { BacktestJob } from "../src/features/policies/backtest/messages.js";
import { startEmbeddedPostgres } from "../src/platform/postgres/embedded/embedded-postgres.js";
import { migrate } from "../src/platform/postgres/migrate.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { createIdGenerator, createRandomSource } from "../src/domain/ids/ids.js";
import { createLogger } from "../src/platform/telemetry/logger.js";
import { backtestFloor, FLOOR_DECISIONS } from "./history/backtest-floor.js";
import type { Closer } from "./harness/bench-processes.js";
import type { FloorResult } from "./harness/floor-result.js";
import { print, runBench } from "./harness/run-bench.js";
import { policy } from "./engine/engine-policy.js";
import { fillDatabase } from "./history/fill-database.js";
import { createHistory, type HistoryOptions } from "./history/history.js";
import { startProgress } from "./history/progress.js";
import { measureRecording } from "./engine/recording.js";
import { DEFAULT_PROVIDERS } from "./client/traffic.js";
import { TUNING } from "../src/domain/vocabulary/tuning.js";

const HELP = `npm run bench:backtest -- [--decisions 100000] [--rules 10]

What recording what a decision saw costs, and how long a backtest of so many decisions takes: on a thread of its own, as
the service runs it, against an embedded PostgreSQL of its own. Exits 1 when the backtest of 100,000 decisions takes more
than 1.6 times as long as making and storing them, 2 when the host is not quiet enough to judge. Other numbers are shown.
`;

const DAY_MS = 86_400_000;
const MIGRATIONS_DIR = fileURLToPath(new URL("../../migrations", import.meta.url));
const WORKER_FILE = fileURLToPath(new URL("../workers/backtest.js", import.meta.url));

const { values } = parseArgs({
  options: {
    decisions: { type: "string", default: String(FLOOR_DECISIONS) },
    rules: { type: "string", default: "10" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await runBench("bench:backtest", measure);

async function measure(closers: Closer[]): Promise<FloorResult[]> {
  const decisions = Number(values.decisions);
  const toMs = Date.now();
  const history = {
    seed: 1,
    workspaceId: `ws_${createIdGenerator(createRandomSource(randomFillSync)).next(toMs)}`,
    mode: "test",
    merchants: ["shop"],
    providers: DEFAULT_PROVIDERS,
    decisions,
    fromMs: toMs - 29 * DAY_MS,
    toMs,
  } as const;
  printRecording(history);
  const postgres = await startPostgres(closers);
  const filledSeconds = await fill(postgres, history);
  const job: BacktestJob = {
    workspaceId: history.workspaceId,
    mode: "test",
    merchantId: "shop",
    policy: policy(Number(values.rules)),
    warnings: [],
    sinceMs: toMs - 30 * DAY_MS,
    limit: FLOOR_DECISIONS,
  };
  const { replayed, seconds } = await backtest(postgres.url, job);
  print(`backtest:  ${replayed} decisions, ${values.rules} rules: ${seconds.toFixed(2)} s`);
  if (replayed !== Math.min(decisions, FLOOR_DECISIONS))
    throw new Error("the backtest did not replay every decision");
  return decisions === FLOOR_DECISIONS ? [backtestFloor(seconds, filledSeconds)] : [];
}

function printRecording(history: HistoryOptions): void {
  const [batch] = createHistory({ ...history, decisions: 4000 }, 4000);
  if (batch === undefined) throw new Error("no history");
  const recording = measureRecording(batch);
  print(
    `recording: ${recording.recordUs.toFixed(3)} µs a decision (before: ${recording.beforeUs.toFixed(3)})`,
  );
  print(
    `           ${recording.groupUs.toFixed(1)} µs and ${recording.groupBytes} bytes a group of health that is new`,
  );
  print(
    `           ${recording.rowBytes.toFixed(1)} bytes a row in its segment (before: ${recording.rowBytesBefore.toFixed(1)})`,
  );
}

async function startPostgres(closers: Closer[]): Promise<{ url: string; pool: Pool }> {
  const dataDir = await mkdtemp(join(tmpdir(), "payinference-backtest-"));
  closers.push(() => rm(dataDir, { recursive: true, force: true }));
  const log = { info: (): void => undefined, warn: (): void => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  closers.push(() => postgres.stop());
  await migrate(postgres.url, MIGRATIONS_DIR);
  const pool = createPool({
    connectionString: postgres.url,
    connectionsMax: 2,
    statementTimeoutMs: 600_000,
    applicationName: "payinference-bench-backtest",
  });
  closers.push(() => pool.end());
  return { url: postgres.url, pool };
}

/** Returns the seconds that it took to make and store the decisions. */
async function fill({ pool }: { pool: Pool }, history: HistoryOptions): Promise<number> {
  const { decisions } = history;
  const progress = startProgress(`filling ${decisions}`, decisions);
  const beganMs = performance.now();
  await fillDatabase(pool, "bench", history, progress.update).finally(progress.stop);
  const seconds = (performance.now() - beganMs) / 1000;
  await pool.query("vacuum analyze");
  const { rows } = await pool.query<{ groups: string; bytes: string }>(
    "select count(*) as groups, pg_total_relation_size('health_views') as bytes from health_views",
  );
  const bytes = (Number(rows[0]?.bytes) / decisions).toFixed(0);
  print(
    `stored:    in ${seconds.toFixed(2)} s, ${rows[0]?.groups} groups of health, ${bytes} bytes a decision`,
  );
  return seconds;
}

async function backtest(
  databaseUrl: string,
  job: BacktestJob,
): Promise<{ replayed: number; seconds: number }> {
  const backtests = createBacktests({
    file: WORKER_FILE,
    databaseUrl,
    retentionDays: 0,
    connectionTimeoutMs: TUNING.databaseReadTimeoutMs,
    log: createLogger("warn"),
  });
  const startedMs = performance.now();
  const run = await backtests.start(job, new AbortController().signal);
  if (typeof run === "string") throw new Error("a backtest runs already");
  let replayed = 0;
  for (let report = await run.next(); report !== null; report = await run.next()) {
    if (report.type === "failed") throw new Error("the backtest failed");
    if (report.type === "result") replayed = report.replayed;
  }
  return { replayed, seconds: (performance.now() - startedMs) / 1000 };
}
