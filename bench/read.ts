import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "../src/platform/postgres/embedded/embedded-postgres.js";
import { migrate } from "../src/platform/postgres/migrate.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { createTenantDb } from "../src/platform/postgres/tenant-db.js";
import { createIdGenerator } from "../src/domain/ids/ids.js";
import { createRandomSource } from "../src/platform/node/random-source.js";
import { closeAll, type Closer } from "./harness/bench-processes.js";
import { markdownTable } from "./harness/bench-table.js";
import { fillDatabase } from "./history/fill-database.js";
import { startProgress } from "./history/progress.js";
import { createReads, type MeasuredRead } from "./history/reads.js";
import { createRandom } from "./client/random.js";
import { DEFAULT_PROVIDERS } from "./client/traffic.js";

const HELP = `npm run bench:read -- [--rows 10000,1000000] [--ten-million] [--repetitions 200]

Fills an embedded PostgreSQL of its own with decisions of 90 days and times every read of the decision log on it, as the
routes run it. Fails when a p95 at a million rows is over its budget, at ten million over twice that of a million, or the
aggregate's at any size over its own.
`;

const MIGRATIONS_DIR = fileURLToPath(new URL("../../migrations", import.meta.url));
const DAY_MS = 86_400_000;
const MILLION = 1_000_000;
const WARM_UP = 20;
/** One merchant in a thousand rows: what a merchant-scoped key has to search for. */
const MERCHANTS = [...Array.from({ length: 999 }, (_, i) => `shop_${i % 3}`), "shop_rare"];

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: `10000,${MILLION}` },
    "ten-million": { type: "boolean", default: false },
    repetitions: { type: "string", default: "200" },
    help: { type: "boolean", default: false },
  },
});

const closers: Closer[] = [];
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`bench:read: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await closeAll(closers);
}

interface Timing {
  p50Ms: number;
  p95Ms: number;
}

async function main(): Promise<number> {
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const sizes = values.rows.split(",").map(Number);
  if (values["ten-million"]) sizes.push(10 * MILLION);
  const failures: string[] = [];
  let atMillion: ReadonlyMap<string, Timing> | null = null;
  for (const size of sizes) {
    const timings = await measureSize(size, failures, atMillion);
    if (size === MILLION) atMillion = timings;
  }
  for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
  return failures.length === 0 ? 0 : 1;
}

async function measureSize(
  size: number,
  failures: string[],
  atMillion: ReadonlyMap<string, Timing> | null,
): Promise<Map<string, Timing>> {
  const dataDir = await mkdtemp(join(tmpdir(), "payinference-read-"));
  const removeDir = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  const log = { info: (): void => undefined, warn: (): void => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    await removeDir();
  };
  closers.push(stop);
  await migrate(postgres.url, MIGRATIONS_DIR);
  const connections = {
    connectionString: postgres.url,
    connectionsMax: 4,
    statementTimeoutMs: 600_000,
    applicationName: "payinference-bench-read",
  };
  const pool = createPool(connections);
  const tenants = createTenantDb(connections);
  const workspaceId = `ws_${createIdGenerator(createRandomSource()).next(Date.now())}`;
  const progress = startProgress(`filling ${size}`, size);
  const toMs = Date.now();
  const history = {
    seed: 1,
    workspaceId,
    mode: "test",
    merchants: MERCHANTS,
    providers: DEFAULT_PROVIDERS,
    decisions: size,
    fromMs: toMs - 90 * DAY_MS,
    toMs,
  } as const;
  const filledMs = performance.now();
  await fillDatabase(pool, "bench", history, progress.update).finally(progress.stop);
  const seconds = (performance.now() - filledMs) / 1000;
  // As autovacuum has it once the rows are there.
  await pool.query("vacuum analyze");
  const reads = await createReads(
    tenants,
    { workspaceId, mode: "test", merchantScope: null },
    createRandom(2),
  );
  const timings = new Map<string, Timing>();
  const lines: string[][] = [];
  for (const read of reads) {
    const timing = await time(read, Number(values.repetitions));
    timings.set(read.name, timing);
    lines.push([
      read.name,
      timing.p50Ms.toFixed(2),
      timing.p95Ms.toFixed(2),
      read.budgetMs === null ? "–" : String(read.budgetMs),
    ]);
    const failure = failureOf(read, size, timing, atMillion?.get(read.name));
    if (failure !== null) failures.push(failure);
  }
  process.stdout.write(`\n${size} decisions, filled in ${seconds.toFixed(0)} s\n`);
  process.stdout.write(`${markdownTable(["read", "p50 ms", "p95 ms", "budget"], lines)}\n`);
  await Promise.all([pool.end(), tenants.end()]);
  closers.splice(closers.indexOf(stop), 1);
  await stop();
  return timings;
}

async function time(read: MeasuredRead, repetitions: number): Promise<Timing> {
  const durationsMs: number[] = [];
  for (let i = -WARM_UP; i < repetitions; i++) {
    const startedMs = performance.now();
    await read.run();
    if (i >= 0) durationsMs.push(performance.now() - startedMs);
  }
  durationsMs.sort((a, b) => a - b);
  const rank = (fraction: number): number => durationsMs[Math.ceil(fraction * durationsMs.length) - 1] ?? 0;
  return { p50Ms: rank(0.5), p95Ms: rank(0.95) };
}

/** Most promises are of a million rows and more; what the smaller history costs is then only shown. */
function failureOf(
  { name, budgetMs: promisedMs, atAnySize }: MeasuredRead,
  size: number,
  { p95Ms }: Timing,
  million: Timing | undefined,
): string | null {
  if (promisedMs === null || (size < MILLION && !atAnySize)) return null;
  const budgetMs =
    size > MILLION && million !== undefined && !atAnySize
      ? Math.max(promisedMs, 2 * million.p95Ms)
      : promisedMs;
  if (p95Ms <= budgetMs) return null;
  return `${name} at ${size}: p95 ${p95Ms.toFixed(2)} ms, budget ${budgetMs.toFixed(0)} ms`;
}
