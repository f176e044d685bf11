import type { Generator } from "./bench-processes.js";
import { faultsOf, median } from "./bench-rounds.js";
import type { BenchService } from "./bench-service.js";
import { markdownTable } from "./bench-table.js";

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
/**
 * How long the disturbance runs before the rounds. It is rare, and V8 compiles its code only after hundreds of
 * repetitions, on the same cores that decisions are timed on.
 */
const WARM_UP_BESIDE_SECONDS = 10;

export interface BesidePlan {
  rounds: number;
  seconds: number;
  /** Decisions a second in an open loop. Each is timed from the moment when it was due. */
  ratePerSecond: number;
  /** Starts the disturbance of a round. `end` stops it and resolves to the number of operations that it did. */
  disturb(): Promise<{ end(): Promise<number> }>;
}

export interface BesideFigures {
  /** The table in Markdown. */
  table: string;
  /**
   * The p99 of decisions beside the disturbance, divided by the p99 of the round alone before it. The median over the
   * rounds.
   */
  ratio: number;
  /** The disturbance's rate: its median count a second. */
  disturbancesPerSecond: number;
  /** Replies other than 200 and requests without a reply. There is one record for each turn. */
  faults: readonly Record<string, number>[];
}

interface Measured {
  p50Ms: number;
  p99Ms: number;
}

/** Measures decisions at a fixed rate, alone and beside a disturbance, by turns. */
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
