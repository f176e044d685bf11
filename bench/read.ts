import { randomFillSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Pool } from "pg";
import { startEmbeddedPostgres } from "../src/platform/postgres/embedded/embedded-postgres.js";
import { migrate } from "../src/platform/postgres/migrate.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { createTenantDb, type TenantDb } from "../src/platform/postgres/tenant-db.js";
import { createIdGenerator, createRandomSource } from "../src/domain/ids/ids.js";
import { closeAll, type Closer } from "./harness/bench-processes.js";
import { markdownTable } from "./harness/bench-table.js";
import type { FloorResult } from "./harness/floor-result.js";
import { print, runBench } from "./harness/run-bench.js";
import { checkGroups } from "./history/group-reads.js";
import { fillDatabase } from "./history/fill-database.js";
import { startProgress } from "./history/progress.js";
import { MILLION, readFloor } from "./history/read-floors.js";
import { createReads, type MeasuredRead } from "./history/reads.js";
import { createRandom } from "./client/random.js";
import { DEFAULT_PROVIDERS } from "./client/traffic.js";

const HELP = `npm run bench:read -- [--rows 10000,1000000] [--ten-million] [--repetitions 200]

Fills an embedded PostgreSQL of its own with decisions of 90 days and times every read of the decision log on it, as the
routes run it, and a bare look-up of one row beside each. Exits 1 when a p95 at a million rows is over its multiple of the
look-up's, at ten million also over twice that of a million, or the aggregate's at any size over its own; 2 when the host
is not quiet enough to judge.
`;

const MIGRATIONS_DIR = fileURLToPath(new URL("../../migrations", import.meta.url));
const DAY_MS = 86_400_000;
const WARM_UP = 20;
/** One merchant appears in one of a thousand rows. A key scoped to that merchant has to search for them. */
const MERCHANTS = [...Array.from({ length: 999 }, (_, i) => `shop_${i % 3}`), "shop_rare"];

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: `10000,${MILLION}` },
    "ten-million": { type: "boolean", default: false },
    repetitions: { type: "string", default: "200" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await runBench("bench:read", measure);

interface Timing {
  p50Ms: number;
  p95Ms: number;
}

async function measure(closers: Closer[]): Promise<FloorResult[]> {
  const sizes = values.rows.split(",").map(Number);
  if (values["ten-million"]) sizes.push(10 * MILLION);
  const floors: FloorResult[] = [];
  let atMillion: ReadonlyMap<string, number> | null = null;
  for (const size of sizes) {
    const own: Closer[] = [];
    const stop = (): Promise<void> => closeAll(own);
    closers.push(stop);
    const timings = await measureSize(size, own);
    // Without this stop, the server of this size would run beside that of the next size.
    await stop();
    const times = new Map(timings.map(({ read, timing, bareMs }) => [read.name, timing.p95Ms / bareMs]));
    for (const { read } of timings) {
      if (read.floor === null) continue;
      const taken = times.get(read.name) ?? Number.NaN;
      const floor = readFloor(read.name, read.floor, size, taken, atMillion?.get(read.name));
      if (floor !== null) floors.push(floor);
    }
    if (size === MILLION) atMillion = times;
  }
  return floors;
}

interface TimedRead {
  read: MeasuredRead;
  timing: Timing;
  /** p95 of the bare look-ups at this size. */
  bareMs: number;
}

async function measureSize(size: number, own: Closer[]): Promise<TimedRead[]> {
  const { pool, tenants } = await startDatabase(own);
  const workspaceId = `ws_${createIdGenerator(createRandomSource(randomFillSync)).next(Date.now())}`;
  const filledMs = performance.now();
  await fill(pool, workspaceId, size);
  const seconds = (performance.now() - filledMs) / 1000;
  // Does the work of autovacuum after the rows are inserted.
  await pool.query("vacuum analyze");
  const scope = { workspaceId, mode: "test", merchantScope: null } as const;
  await checkGroups(tenants, scope);
  const { reads, bare } = await createReads(tenants, scope, createRandom(2));
  const bareTimesMs: number[] = [];
  const timed: Array<{ read: MeasuredRead; timing: Timing }> = [];
  for (const read of reads) timed.push({ read, timing: await time(read, bare, bareTimesMs) });
  const bareTiming = timingOf(bareTimesMs);
  print(`\n${size} decisions, filled in ${seconds.toFixed(0)} s; groups counted row by row are the same`);
  const line = (name: string, { p50Ms, p95Ms }: Timing, floor: string): string[] => [
    name,
    p50Ms.toFixed(2),
    p95Ms.toFixed(2),
    (p95Ms / bareTiming.p95Ms).toFixed(1),
    floor,
  ];
  print(
    markdownTable(
      ["read", "p50 ms", "p95 ms", "÷ bare", "at most"],
      [
        line("bare look-up of one row", bareTiming, "–"),
        ...timed.map(({ read, timing }) =>
          line(read.name, timing, read.floor === null ? "–" : String(read.floor.timesMax)),
        ),
      ],
    ),
  );
  print(markdownTable(["tables", "MB", "bytes a decision"], await sizesOf(pool, size)));
  return timed.map((entry) => ({ ...entry, bareMs: bareTiming.p95Ms }));
}

/** Bytes on disk with indexes, by what the tables are for. */
async function sizesOf(pool: Pool, size: number): Promise<string[][]> {
  const { rows } = await pool.query<{ kind: string; bytes: string }>(
    `select case when coalesce(parent.relname, c.relname) like 'facet%' then 'figures by facet'
                 when coalesce(parent.relname, c.relname) like 'rollup%' then 'other rollups'
                 when coalesce(parent.relname, c.relname) in ('decisions', 'decision_segments', 'outcomes')
                   then coalesce(parent.relname, c.relname)
                 else 'all other tables' end as kind,
            sum(pg_total_relation_size(c.oid)) as bytes
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by 2 desc`,
  );
  return rows.map(({ kind, bytes }) => [
    kind,
    (Number(bytes) / 1e6).toFixed(1),
    (Number(bytes) / size).toFixed(1),
  ]);
}

async function startDatabase(own: Closer[]): Promise<{ pool: Pool; tenants: TenantDb }> {
  const dataDir = await mkdtemp(join(tmpdir(), "payinference-read-"));
  own.push(() => rm(dataDir, { recursive: true, force: true }));
  const log = { info: (): void => undefined, warn: (): void => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  own.push(() => postgres.stop());
  await migrate(postgres.url, MIGRATIONS_DIR);
  const connections = {
    connectionString: postgres.url,
    connectionsMax: 4,
    statementTimeoutMs: 600_000,
    applicationName: "payinference-bench-read",
  };
  const pool = createPool(connections);
  own.push(() => pool.end());
  const tenants = createTenantDb(connections);
  own.push(() => tenants.end());
  return { pool, tenants };
}

async function fill(pool: Pool, workspaceId: string, size: number): Promise<void> {
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
  const progress = startProgress(`filling ${size}`, size);
  await fillDatabase(pool, "bench", history, progress.update).finally(progress.stop);
}

/** Runs a bare look-up before each read, so that both meet the same host. */
async function time(
  read: MeasuredRead,
  bare: () => Promise<unknown>,
  bareTimesMs: number[],
): Promise<Timing> {
  const timesMs: number[] = [];
  for (let i = -WARM_UP; i < Number(values.repetitions); i++) {
    const bareMs = await msOf(bare);
    const readMs = await msOf(read.run);
    if (i < 0) continue;
    bareTimesMs.push(bareMs);
    timesMs.push(readMs);
  }
  return timingOf(timesMs);
}

async function msOf(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await run();
  return performance.now() - startedMs;
}

function timingOf(timesMs: readonly number[]): Timing {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const rank = (fraction: number): number => sorted[Math.ceil(fraction * sorted.length) - 1] ?? 0;
  return { p50Ms: rank(0.5), p95Ms: rank(0.95) };
}
