import { createLatencyHistogram, type LatencyHistogram } from "../client/latency-histogram.js";
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
   * The p99 of all decisions beside the disturbance, divided by the p99 of all decisions alone. A round has too few
   * decisions for a p99 of its own: the median of the rounds' ratios was 1.01 and 1.42 in two runs of one build.
   */
  ratio: number;
  /** The disturbance's rate: its median count a second. */
  disturbancesPerSecond: number;
  /** Replies other than 200 and requests without a reply. There is one record for each turn. */
  faults: readonly Record<string, number>[];
}

interface Turns {
  readonly all: LatencyHistogram;
  /** The p99 of each round. */
  readonly p99Ms: number[];
}

/** Measures decisions at a fixed rate, alone and beside a disturbance, by turns. */
export async function measureBeside(
  service: BenchService,
  generator: Generator,
  { rounds, seconds, ratePerSecond, disturb }: BesidePlan,
): Promise<BesideFigures> {
  const faults: Record<string, number>[] = [];
  const decide = async (durationSeconds: number, turns?: Turns): Promise<void> => {
    const result = await generator.run({
      url: service.url,
      key: service.key,
      connections: CONNECTIONS,
      durationMs: durationSeconds * 1000,
      ratePerSecond,
    });
    faults.push(faultsOf(result));
    turns?.all.add(result.latency);
    turns?.p99Ms.push(result.latency.percentileMs(99));
  };
  await decide(WARM_UP_SECONDS);
  const warmUp = await disturb();
  await decide(WARM_UP_BESIDE_SECONDS);
  await warmUp.end();
  const alone: Turns = { all: createLatencyHistogram(), p99Ms: [] };
  const beside: Turns = { all: createLatencyHistogram(), p99Ms: [] };
  const done: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await decide(seconds, alone);
    const disturbance = await disturb();
    await decide(seconds, beside);
    done.push(await disturbance.end());
  }
  const row = (name: string, { all, p99Ms }: Turns): string[] => [
    name,
    all.percentileMs(50).toFixed(2),
    all.percentileMs(99).toFixed(2),
    `${Math.min(...p99Ms).toFixed(2)}–${Math.max(...p99Ms).toFixed(2)}`,
  ];
  return {
    table: markdownTable(
      ["decisions", "p50 ms", "p99 ms", "p99 of a round"],
      [row("alone", alone), row("beside it", beside)],
    ),
    ratio: beside.all.percentileMs(99) / alone.all.percentileMs(99),
    disturbancesPerSecond: median(done) / seconds,
    faults,
  };
}
