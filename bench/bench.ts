import { spawn } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkFloors, type BenchFigures } from "./bench-floors.js";
import { startGenerator, type Closer } from "./harness/bench-processes.js";
import {
  CONNECTIONS,
  createRoundRunner,
  median,
  type Round,
  type Row,
  type RowId,
} from "./harness/bench-rounds.js";
import { ROW_IDS, startRows } from "./harness/bench-rows.js";
import type { BenchService } from "./harness/bench-service.js";
import { markdownTable, throughputTable } from "./harness/bench-table.js";
import type { ClientScheduling } from "./harness/client-scheduling.js";
import type { FloorResult } from "./harness/floor-result.js";
import { print, runBench } from "./harness/run-bench.js";
import { acrossPasses, measureEnginePass, type EnginePass } from "./engine.js";
import { measureJournalBacklog } from "./engine/journal-backlog.js";
import { measurePricedEngineApart } from "./engine/priced-engine-apart.js";
import type { LoadSummary } from "./load/load-summary.js";

const HELP = `npm run bench -- [--rows a,b,c,d,e,f] [--rounds 7] [--seconds 2.5]

Starts every row, measures them in interleaved rounds, prints the table of BENCHMARKS.md and exits 1 when a promise is
broken, 2 when the host is not quiet enough to judge. A partial --rows checks only the promises it can.
`;

/** How each refused scheduling affects the figures. */
const REFUSED = {
  yielding: "the generator interrupts the servers: no chrt here to keep it from that",
  punctual: "at half rate the generator waits for the servers' cores: no right to real-time scheduling here",
} as const satisfies Record<ClientScheduling, string>;

const WARM_UP_MS = 2_000;
/**
 * Many short rounds, because a stall of the machine can hit any of them. The p99 of single rounds differs several-fold.
 */
const HALF_RATE_ROUNDS = 15;
const HALF_RATE_MS = 2_000;
const AUTOCANNON_SECONDS = 4;

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: ROW_IDS.join(",") },
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "2.5" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else await runBench("bench", measure);

async function measure(closers: Closer[]): Promise<FloorResult[]> {
  const wanted = new Set(values.rows.split(",").filter((id): id is RowId => ROW_IDS.includes(id as RowId)));
  // Every ratio is relative to the bare row.
  wanted.add("a");
  print(
    `${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, Node ${process.version}, ${CONNECTIONS} connections\n`,
  );

  // The engine is measured first, while nothing else of the bench runs, and again between the rows and at the end.
  const measuresEngine = wanted.size === ROW_IDS.length;
  const engine: EnginePass[] = [];
  const passEngine = async (): Promise<void> => {
    if (measuresEngine) engine.push(await measureEnginePass());
  };
  await passEngine();
  const pricedEngine = measuresEngine ? await measurePricedEngineApart(closers) : undefined;
  const journalBacklog = measuresEngine ? await measureJournalBacklog() : undefined;
  const { rows, service, serviceStart } = await startRows(wanted, closers);
  const generator = startGenerator(closers);
  for (const scheduling of generator.refused) print(`${REFUSED[scheduling]} (BENCHMARKS.md)\n`);
  const runRound = createRoundRunner(generator);

  const measured = await measureHighestRates(rows, runRound);
  print(throughputTable(measured));
  await passEngine();

  const halves = measured.filter(({ row: { id } }) => wanted.has("b") && (id === "a" || id === "b"));
  for (const { row } of measured) if (!halves.some((half) => half.row === row)) await row.stop();
  const halfRate = await measureHalfRate(halves, runRound);
  if (halfRate.size > 0)
    print(
      `\nAt half of its own highest rate, open loop, timed from the scheduled send:\n\n${halfRateTable(halfRate)}`,
    );

  const autocannon = service === undefined ? undefined : await runAutocannon(service);
  if (autocannon !== undefined) {
    print(
      `\nautocannon on (b): ${autocannon.requestsPerSecond.toFixed(0)} req/s, p95 ${autocannon.p95Ms.toFixed(2)} ms`,
    );
  }
  await passEngine();
  if (measuresEngine) print(`\nThe engine alone, µs a call:\n\n${engineTables(engine)}`);
  return checkFloors({
    rows: measured,
    halfRate,
    autocannon,
    engine,
    pricedEngine,
    journalBacklog,
    serviceStart,
  });
}

type RunRound = ReturnType<typeof createRoundRunner>;

interface MeasuredRow {
  row: Row;
  rounds: Round[];
}

async function measureHighestRates(rows: readonly Row[], runRound: RunRound): Promise<MeasuredRow[]> {
  const measured = rows.map((row): MeasuredRow => ({ row, rounds: [] }));
  for (const row of rows) await runRound(row, { durationMs: WARM_UP_MS });
  for (let round = 0; round < Number(values.rounds); round++) {
    // The order alternates, because a row leaves work behind (PostgreSQL's upkeep, caches) that would otherwise always
    // affect the same next row.
    const order = round % 2 === 0 ? measured : measured.toReversed();
    for (const { row, rounds } of order) {
      rounds.push(await runRound(row, { durationMs: Number(values.seconds) * 1000 }));
    }
  }
  return measured;
}

async function measureHalfRate(
  halves: readonly MeasuredRow[],
  runRound: RunRound,
): Promise<Map<RowId, Round[]>> {
  const halfRate = new Map<RowId, Round[]>();
  for (let round = 0; round < HALF_RATE_ROUNDS; round++) {
    for (const { row, rounds } of round % 2 === 0 ? halves : halves.toReversed()) {
      const plan = { durationMs: HALF_RATE_MS, ratePerSecond: median(rounds.map(rate)) / 2 };
      halfRate.set(row.id, [...(halfRate.get(row.id) ?? []), await runRound(row, plan)]);
    }
  }
  return halfRate;
}

function rate(round: Round): number {
  return round.requestsPerSecond;
}

function halfRateTable(halfRate: ReadonlyMap<RowId, readonly Round[]>): string {
  return markdownTable(
    ["row", "req/s", "p50 ms", "p95 ms", "p99 ms", "p99 min–max"],
    [...halfRate].map(([id, rounds]) => {
      const p99 = rounds.map((round) => round.p99Ms);
      return [
        `(${id})`,
        median(rounds.map(rate)).toFixed(0),
        median(rounds.map((round) => round.p50Ms)).toFixed(2),
        median(rounds.map((round) => round.p95Ms)).toFixed(2),
        median(p99).toFixed(2),
        `${Math.min(...p99).toFixed(2)}–${Math.max(...p99).toFixed(2)}`,
      ];
    }),
  );
}

function engineTables(passes: readonly EnginePass[]): string {
  const table = markdownTable(
    ["rules", "policy", "decide()", "render"],
    acrossPasses(passes).map(({ rules, policyUs, decideUs, renderUs }) => [
      String(rules),
      policyUs.toFixed(2),
      decideUs.toFixed(2),
      renderUs.toFixed(2),
    ]),
  );
  const checkMs = median(passes.map(({ policyCheck }) => policyCheck.checkMs));
  const keyUs = median(passes.map(({ cachedKey }) => cachedKey.authenticateUs));
  const learnUs = median(passes.map(({ learning }) => learning.learnUs));
  return `${table}\n\nA policy of 100 rules is validated and compiled in ${checkMs.toFixed(2)} ms, a cached key found in ${keyUs.toFixed(2)} µs, and an outcome learnt in ${learnUs.toFixed(2)} µs`;
}

/** Runs `npm run load` in its own process, as a user would. The exit status says whether p95 is within the budget. */
async function runAutocannon(service: BenchService): Promise<BenchFigures["autocannon"]> {
  const load = fileURLToPath(new URL("load.js", import.meta.url));
  const args = [
    "--url",
    service.url,
    "--connections",
    String(CONNECTIONS),
    "--duration",
    String(AUTOCANNON_SECONDS),
    "--json",
  ];
  const child = spawn(process.execPath, [load, ...args], {
    env: { ...process.env, PAYINFERENCE_KEY: service.key },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const exitStatus = await new Promise<number>((resolve) =>
    child.once("close", (code) => resolve(code ?? 1)),
  );
  if (output === "") throw new Error(`npm run load printed nothing (exit ${exitStatus})`);
  const { p95Ms, requestsPerSecond } = JSON.parse(output) as LoadSummary;
  return { exitStatus, p95Ms, requestsPerSecond };
}
