import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { servicePostgres } from "./harness/bench-postgres.js";
import { startGenerator, type Closer, type Generator } from "./harness/bench-processes.js";
import { CONNECTIONS, faultsOf, median } from "./harness/bench-rounds.js";
import { drained, startService, type BenchService } from "./harness/bench-service.js";
import { markdownTable } from "./harness/bench-table.js";
import { faultFloors, type FloorResult } from "./harness/floor-result.js";
import { print, runBench } from "./harness/run-bench.js";
import { idFromHex } from "../src/domain/ids/ids.js";
import { createRandom } from "./client/random.js";

const HELP = `npm run bench:outcomes -- [--rounds 5] [--seconds 3]

Decisions and then outcomes of those decisions, closed loop, each sustained: a round ends once PostgreSQL holds all that
was acknowledged. Exits 1 when outcomes reach less than half of the decisions' rate, in the median of the rounds, 2 when
the host is not quiet enough to judge.
`;

/** The promise is "Outcomes: at least half the sustained decision rate" (issue "Outcomes, decision log …"). */
const RATIO_MIN = 0.5;
const WARM_UP_MS = 1500;
const SEED = 20_261_120;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await runBench("bench:outcomes", measure);

interface Sustained {
  perSecond: number;
  p95Ms: number;
}

async function measure(closers: Closer[]): Promise<FloorResult[]> {
  const service = await startService(closers);
  const client = new pg.Client({ connectionString: (await servicePostgres(service.dataDir)).url });
  await client.connect();
  closers.push(() => client.end());
  const decisions = createKind(service, startGenerator(closers), client, "decisions");
  await decisions.run(WARM_UP_MS);
  const outcomes = createKind(service, startGenerator(closers), client, "outcomes");
  await outcomes.run(WARM_UP_MS, await reportsOfStored(service, client));
  const decided: Sustained[] = [];
  const reported: Sustained[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    decided.push(await decisions.run(Number(values.seconds) * 1000));
    const distinct = await reportsOfStored(service, client);
    reported.push(await outcomes.run(Number(values.seconds) * 1000, distinct));
  }
  const row = (name: string, of: readonly Sustained[]): string[] => [
    name,
    median(of.map(({ perSecond }) => perSecond)).toFixed(0),
    median(of.map(({ p95Ms }) => p95Ms)).toFixed(2),
  ];
  const ratio = median(
    reported.map(({ perSecond }, round) => perSecond / (decided[round]?.perSecond ?? Number.NaN)),
  );
  print(
    markdownTable(
      ["sustained into PostgreSQL", "req/s", "p95 ms"],
      [row("decisions", decided), row("outcomes", reported)],
    ),
  );
  return [
    {
      passed: ratio >= RATIO_MIN,
      line: `outcomes reach ${ratio.toFixed(2)} of the decisions' rate, at least ${RATIO_MIN}`,
    },
    ...faultFloors("decisions:", decisions.faults),
    ...faultFloors("outcomes:", outcomes.faults),
  ];
}

function bodiesFile(service: BenchService): string {
  return join(service.dataDir, "bench-outcomes.ndjson");
}

/** One kind of request. Its acknowledgements are counted over all rounds, because PostgreSQL counts totals too. */
function createKind(
  service: BenchService,
  generator: Generator,
  client: pg.Client,
  kind: "decisions" | "outcomes",
): {
  faults: readonly Record<string, number>[];
  run(durationMs: number, distinctMax?: number): Promise<Sustained>;
} {
  const { origin } = new URL(service.url);
  let acknowledged = 0;
  const faults: Record<string, number>[] = [];
  return {
    faults,
    async run(durationMs, distinctMax = Number.POSITIVE_INFINITY) {
      const result = await generator.run({
        url: kind === "decisions" ? service.url : `${origin}/v1/outcomes`,
        key: service.key,
        connections: CONNECTIONS,
        durationMs,
        ...(kind === "outcomes" ? { recordedFile: bodiesFile(service) } : {}),
      });
      const repliedMs = performance.now();
      const ok = result.statuses[200] ?? 0;
      faults.push(faultsOf(result));
      // PostgreSQL stores an outcome once, even if it was reported twice.
      acknowledged += Math.min(ok, distinctMax);
      const storedMs = await drained(service, client, acknowledged, kind);
      return {
        perSecond: ok / ((result.elapsedMs + Math.max(0, storedMs - repliedMs)) / 1000),
        p95Ms: result.latency.percentileMs(95),
      };
    },
  };
}

/** Writes a first report for each stored decision that has none, oldest first. Returns their number. */
async function reportsOfStored(service: BenchService, client: pg.Client): Promise<number> {
  const { rows } = await client.query<{
    decision_id: string;
    order_id: string;
    amount_minor: string;
    currency: string;
  }>(
    `SELECT decision_id, order_id, amount_minor, currency FROM decisions d
     WHERE NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.decision_id = d.decision_id)
     ORDER BY decision_id`,
  );
  const random = createRandom(SEED);
  const bodies = rows.map(({ decision_id, order_id, amount_minor, currency }) => {
    const isApproved = random.chance(0.85);
    return JSON.stringify({
      decision_id: idFromHex("dec", decision_id.replaceAll("-", "")),
      order_id,
      outcome: isApproved ? "approved" : "soft_declined",
      provider_used: "provider_1",
      provider_latency_ms: random.integer(120, 900),
      amount: Number(amount_minor),
      currency,
    });
  });
  await writeFile(bodiesFile(service), `${bodies.join("\n")}\n`);
  return bodies.length;
}
