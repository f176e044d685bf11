import type { Generator } from "./bench-processes.js";
import { faultsOf, median } from "./bench-rounds.js";
import type { BenchService } from "./bench-service.js";
import { markdownTable } from "./bench-table.js";

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
/** What disturbs is rare: V8 takes hundreds of each to compile its code, on the cores that decisions are timed on. */
const WARM_UP_BESIDE_SECONDS = 10;

export interface BesidePlan {
  rounds: number;
  seconds: number;
  /** Decisions a second, open loop, timed from when each was due. */
  ratePerSecond: number;
  /** Begins what decisions are to be undisturbed by; ended after each round, it tells how much it did. */
  disturb(): Promise<{ end(): Promise<number> }>;
}

export interface BesideFigures {
  /** Markdown. */
  table: string;
  /** p99 of decisions beside the disturbance, as a multiple of that of the round before it; the median of the rounds. */
  ratio: number;
  /** What the disturbance did a second, median. */
  disturbancesPerSecond: number;
  /** Replies other than 200 and requests without a reply, a record for each turn. */
  faults: readonly Record<string, number>[];
}

interface Measured {
  p50Ms: number;
  p99Ms: number;
}

/** Decisions at a fixed rate, alone and beside something else, by turns. */
export async function measureBeside(
  service: BenchService,
  generator: Generator,
  { rounds, seconds, ratePerSecond, disturb }: BesidePlan,
): Promise<BesideFigures> {
  const faults: Record<string, number>[] = [];
  const decide = async (durationSeconds: number): Promise<Measured> => {
    const result = await generator.run({
      url: service.url,
      key: service.key,
      connections: CONNECTIONS,
      durationMs: durationSeconds * 1000,
      ratePerSecond,
    });
    faults.push(faultsOf(result));
    return { p50Ms: result.latency.percentileMs(50), p99Ms: result.latency.percentileMs(99) };
  };
  await decide(WARM_UP_SECONDS);
  const warmUp = await disturb();
  await decide(WARM_UP_BESIDE_SECONDS);
  await warmUp.end();
  const alone: Measured[] = [];
  const beside: Measured[] = [];
  const done: number[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await decide(seconds));
    const disturbance = await disturb();
    beside.push(await decide(seconds));
    done.push(await disturbance.end());
  }
  const row = (name: string, of: readonly Measured[]): string[] => [
    name,
    median(of.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(of.map(({ p99Ms }) => p99Ms)).toFixed(2),
    `${Math.min(...of.map(({ p99Ms }) => p99Ms)).toFixed(2)}–${Math.max(...of.map(({ p99Ms }) => p99Ms)).toFixed(2)}`,
  ];
  return {
    table: markdownTable(
      ["decisions", "p50 ms", "p99 ms", "p99 min–max"],
      [row("alone", alone), row("beside it", beside)],
    ),
    ratio: median(beside.map(({ p99Ms }, round) => p99Ms / (alone[round]?.p99Ms ?? Number.NaN))),
    disturbancesPerSecond: median(done) / seconds,
    faults,
  };
}
