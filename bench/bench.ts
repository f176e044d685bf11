import { spawn } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkFloors, type BenchFigures } from "./bench-floors.js";
import { closeAll, startGenerator, type Closer } from "./harness/bench-processes.js";
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
import { acrossPasses, measureEngine, type EngineMeasurement } from "./engine.js";
import { measureCachedKey } from "./engine/cached-key.js";
import { measureJournalBacklog } from "./engine/journal-backlog.js";
import { measurePolicyCheck } from "./engine/policy-check.js";
import { measurePricedEngineApart } from "./engine/priced-engine-apart.js";
import type { LoadSummary } from "./load/load-summary.js";

const HELP = `npm run bench -- [--rows a,b,c,d,e] [--rounds 7] [--seconds 2.5]

Starts every row, measures them in interleaved rounds, prints the table of BENCHMARKS.md and fails when a promise is
broken. A partial --rows checks only the promises it can.
`;

/** What it means for the figures. */
const REFUSED = {
  yielding: "the generator interrupts the servers: no chrt here to keep it from that",
  punctual: "at half rate the generator waits for the servers' cores: no right to real-time scheduling here",
} as const satisfies Record<ClientScheduling, string>;

const WARM_UP_MS = 2_000;
/** Many: whether a stall of the machine falls into one is chance, and p99 of a round with one is several times another's. */
const HALF_RATE_ROUNDS = 15;
const HALF_RATE_MS = 2_000;
const AUTOCANNON_SECONDS = 4;

const closers: Closer[] = [];
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    interrupted = true;
    void closeAll(closers).then(() => process.exit(130));
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!interrupted) {
    process.stderr.write(`bench: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
} finally {
  await closeAll(closers);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rows: { type: "string", default: ROW_IDS.join(",") },
      rounds: { type: "string", default: "7" },
      seconds: { type: "string", default: "2.5" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const wanted = new Set(values.rows.split(",").filter((id): id is RowId => ROW_IDS.includes(id as RowId)));
  // Every ratio is to the bare row.
  wanted.add("a");
  const beganMs = performance.now();
  print(
    `${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, Node ${process.version}, ${CONNECTIONS} connections\n`,
  );

  // The engine first, while nothing else of ours runs, and once more between the rows and at the end.
  const measuresEngine = wanted.size === ROW_IDS.length;
  const enginePasses: EngineMeasurement[][] = [];
  const passEngine = async (): Promise<void> => {
    if (measuresEngine) enginePasses.push(await measureEngine());
  };
  await passEngine();
  const policyCheck = measuresEngine ? measurePolicyCheck() : undefined;
  const pricedEngine = measuresEngine ? await measurePricedEngineApart(closers) : undefined;
  const cachedKey = measuresEngine ? await measureCachedKey() : undefined;
  const journalBacklog = measuresEngine ? await measureJournalBacklog() : undefined;
  const { rows, service, serviceStart } = await startRows(wanted, closers);
  const generator = startGenerator(closers);
  for (const scheduling of generator.refused) print(`${REFUSED[scheduling]} (BENCHMARKS.md)\n`);
  const runRound = createRoundRunner(generator);

  const measured: Array<{ row: Row; rounds: Round[] }> = rows.map((row) => ({ row, rounds: [] }));
  for (const row of rows) await runRound(row, { durationMs: WARM_UP_MS });
  for (let round = 0; round < Number(values.rounds); round++) {
    // To and fro: what a row leaves behind (PostgreSQL's upkeep, caches) would otherwise always meet the same next one.
    const order = round % 2 === 0 ? measured : measured.toReversed();
    for (const { row, rounds } of order) {
      rounds.push(await runRound(row, { durationMs: Number(values.seconds) * 1000 }));
    }
  }
  print(throughputTable(measured));
  await passEngine();

  const halfRate = new Map<RowId, Round[]>();
  const halves = rows.filter((row) => wanted.has("b") && (row.id === "a" || row.id === "b"));
  for (const row of rows) if (!halves.includes(row)) await row.stop();
  for (let round = 0; round < HALF_RATE_ROUNDS; round++) {
    for (const row of round % 2 === 0 ? halves : halves.toReversed()) {
      const highest = median(measured.find((entry) => entry.row === row)?.rounds.map(rate) ?? []);
      const plan = { durationMs: HALF_RATE_MS, ratePerSecond: highest / 2 };
      halfRate.set(row.id, [...(halfRate.get(row.id) ?? []), await runRound(row, plan)]);
    }
  }
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
  const engine = measuresEngine ? acrossPasses(enginePasses) : [];
  if (measuresEngine) print(`\nThe engine alone, µs a call:\n\n${engineTable(engine)}`);

  const floors = checkFloors({
    rows: measured,
    halfRate,
    autocannon,
    engine,
    policyCheck,
    pricedEngine,
    cachedKey,
    journalBacklog,
    serviceStart,
  });
  print("");
  for (const { passed, line } of floors) print(`${passed ? "ok  " : "FAIL"}  ${line}`);
  print(`\n${((performance.now() - beganMs) / 1000).toFixed(0)} s in all`);
  return floors.every(({ passed }) => passed) ? 0 : 1;
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

function engineTable(engine: BenchFigures["engine"]): string {
  return markdownTable(
    ["rules", "policy", "decide()", "render"],
    engine.map(({ rules, policyUs, decideUs, renderUs }) => [
      String(rules),
      policyUs.toFixed(2),
      decideUs.toFixed(2),
      renderUs.toFixed(2),
    ]),
  );
}

/** `npm run load` as a user would run it, in its own process: its exit status is the p95 budget. */
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
