import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createArchiveThreads } from "../src/features/retention/archive/archive-thread.js";
import { runRetention } from "../src/features/retention/retention-run.js";
import { RETENTION_PACE } from "../src/domain/vocabulary/tuning/retention.js";
import { ownFile } from "../src/platform/node/own-files.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { createPace } from "../src/platform/timing/pace.js";
import { createLatencyHistogram, type LatencyHistogram } from "./client/latency-histogram.js";
import { DEFAULT_PROVIDERS } from "./client/traffic.js";
import type { Closer } from "./harness/bench-processes.js";
import { servicePostgres } from "./harness/bench-postgres.js";
import { median } from "./harness/bench-rounds.js";
import { startService, type BenchService } from "./harness/bench-service.js";
import { markdownTable } from "./harness/bench-table.js";
import type { FloorResult } from "./harness/floor-result.js";
import { print, runBench } from "./harness/run-bench.js";
import { fillDatabase } from "./history/fill-database.js";

const HELP = `npm run bench:retention -- [--rounds 2] [--weeks 1] [--rows 20000]

p99 of reads (the list, aggregates, the shadow report) while retention archives and drops so many weeks of so many
decisions at the pace of the service, and for as long alone, by turns. A round takes about two and a half minutes.
Exits 1 when retention raises the p99 over all rounds by more than 10 %, 2 when the host is not quiet enough to judge.
`;

/** The issues' promise for reads beside a retention run. */
const RATIO_MAX = 1.1;
const WEEK_MS = 7 * 86_400_000;
const SERVICE_DAYS = 400;
/**
 * The least age in weeks of the decisions that retention drops. It is past the service's limit, on whichever day a week
 * begins.
 */
const OLD_WEEKS = 60;
const WARM_UP_MS = 10_000;
/** These decisions stay, and the reads return some of them. */
const RECENT_DECISIONS = 100_000;
const PATHS = [
  "/v1/decisions?page_size=50",
  "/v1/decisions?action=hold&unresolved=true",
  "/v1/decisions/aggregate",
  "/v1/decisions/shadow-report?days=30",
] as const;

interface Plan {
  rounds: number;
  weeks: number;
  rows: number;
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "2" },
    weeks: { type: "string", default: "1" },
    rows: { type: "string", default: "20000" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else
  await runBench("bench:retention", (closers) =>
    measure(closers, {
      rounds: Number(values.rounds),
      weeks: Number(values.weeks),
      rows: Number(values.rows),
    }),
  );

interface Retention {
  /** Adds decisions of the demo's workspace between two times. */
  fill(decisions: number, fromMs: number, toMs: number): Promise<void>;
  /** Runs retention with an archive. Resolves to the number of weeks that were dropped. */
  run(): Promise<number>;
}

/** Opens the service's PostgreSQL and an archive of its own. */
async function openRetention(service: BenchService, closers: Closer[]): Promise<Retention> {
  const { url } = await servicePostgres(service.dataDir);
  const pool = createPool({
    connectionString: url,
    connectionsMax: 2,
    statementTimeoutMs: 600_000,
    applicationName: "payinference-bench-retention",
  });
  const root = await mkdtemp(join(tmpdir(), "payinference-archive-"));
  const archive = createArchiveThreads({
    file: ownFile("workers/archive.js"),
    databaseUrl: url,
    root,
    workShare: RETENTION_PACE.workShare,
  });
  closers.push(async () => {
    archive.close();
    // A statement under way ends with the service's PostgreSQL.
    void pool.end().catch(() => undefined);
    await rm(root, { recursive: true });
  });
  const demo = JSON.parse(await readFile(join(service.dataDir, "demo.json"), "utf8")) as {
    workspace_id: string;
    merchant_id: string;
  };
  const history = {
    workspaceId: demo.workspace_id,
    mode: "test",
    merchants: [demo.merchant_id],
    providers: DEFAULT_PROVIDERS,
  } as const;
  return {
    async fill(decisions, fromMs, toMs) {
      await fillDatabase(
        pool,
        "bench",
        { ...history, seed: fromMs, decisions, fromMs, toMs },
        () => undefined,
      );
      await pool.query("vacuum analyze");
    },
    async run() {
      const client = await pool.connect();
      let dropped = 0;
      await runRetention(client, {
        serviceDays: SERVICE_DAYS,
        now: Date.now,
        store: archive.store,
        pace: createPace(RETENTION_PACE),
        waitsForCopies: false,
        onDropped: () => dropped++,
        onRewritten: () => undefined,
      }).finally(() => client.release());
      return dropped;
    },
  };
}

async function measure(closers: Closer[], { rounds, weeks, rows }: Plan): Promise<FloorResult[]> {
  const service = await startService(closers);
  const retention = await openRetention(service, closers);
  const nowMs = Date.now();
  await retention.fill(RECENT_DECISIONS, nowMs - 4 * WEEK_MS, nowMs);
  const read = readingOf(service);
  const alone = createLatencyHistogram();
  const beside = createLatencyHistogram();
  const tookMs: number[] = [];
  let droppedWeeks = 0;
  await read(delay(WARM_UP_MS));
  for (let round = 0; round < rounds; round++) {
    // An archive never takes a week's rows twice, so each round has weeks of its own.
    const endMs = nowMs - (OLD_WEEKS + round * weeks) * WEEK_MS;
    await retention.fill(weeks * rows, endMs - weeks * WEEK_MS, endMs);
    const beganMs = performance.now();
    const running = retention.run();
    const besideIt = await read(running);
    const dropped = await running;
    const roundMs = performance.now() - beganMs;
    alone.add(await read(delay(roundMs)));
    beside.add(besideIt);
    droppedWeeks += dropped;
    tookMs.push(roundMs);
  }
  print(tableOf(alone, beside));
  print(`\n${droppedWeeks} weeks archived and dropped, ${(median(tookMs) / 1000).toFixed(1)} s a round`);
  const ratio = beside.percentileMs(99) / alone.percentileMs(99);
  return [
    {
      passed: ratio <= RATIO_MAX,
      line: `p99 beside it is ${ratio.toFixed(2)} times that without, at most ${RATIO_MAX}`,
    },
    {
      passed: droppedWeeks >= rounds * weeks,
      line: `${droppedWeeks} weeks left, at least ${rounds * weeks}`,
    },
  ];
}

/** Returns a function that reads path by path until `work` ends, and times each read. */
function readingOf({
  url,
  key,
}: {
  url: string;
  key: string;
}): (work: Promise<unknown>) => Promise<LatencyHistogram> {
  return async (work) => {
    let isOver = false;
    // It may fail while a read is under way, if the bench is interrupted. The last line reports that.
    const end = (): void => void (isOver = true);
    work.then(end, end);
    const latency = createLatencyHistogram();
    for (let asked = 0; !isOver; asked++) {
      const path = PATHS[asked % PATHS.length] as string;
      const beganMs = performance.now();
      const response = await fetch(new URL(path, url), { headers: { "x-api-key": key } });
      await response.arrayBuffer();
      latency.record(performance.now() - beganMs);
      if (response.status !== 200) throw new Error(`GET ${path}: ${response.status}`);
    }
    await work;
    return latency;
  };
}

function tableOf(alone: LatencyHistogram, beside: LatencyHistogram): string {
  const row = (name: string, of: LatencyHistogram): string[] => [
    name,
    ...[50, 99].map((percentile) => of.percentileMs(percentile).toFixed(2)),
    String(of.count),
  ];
  return markdownTable(
    ["reads", "p50 ms", "p99 ms", "number"],
    [row("alone", alone), row("beside retention", beside)],
  );
}
