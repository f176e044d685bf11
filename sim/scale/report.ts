import type { FloorResult } from "../../bench/harness/floor-result.js";
import { createRandom } from "../../bench/client/random.js";
import { simulateOutage, simulateWaits, type OutageFigures, type WaitFigures } from "./cell.js";
import { meanCellRate, type Scale } from "./inputs.js";
import { balance, hottestOverMean, placeByChance, zipfShares } from "./placement.js";

export const FLOORS = { hottestMax: 1.1, outageSeconds: 3600, p99WaitUsMax: 1000, drainHoursMax: 1 } as const;

export interface ScaleRow {
  nodes: number;
  cells: number;
  exponent: number;
  /** Decisions a second of all cells in the peak hour. */
  ratePerSecond: number;
  /** The share of the largest workspace, divided by that of a mean cell. */
  largest: number;
  byChance: number;
  balanced: number;
  moved: number;
  divided: number;
  waits: WaitFigures;
  outage: OutageFigures;
}

export interface ScaleOptions {
  nodes: number;
  exponent: number;
  seed: number;
  /** Seconds of traffic to simulate in the hottest cell. */
  waitSeconds: number;
}

/**
 * Places the workspaces and balances the cells. Then simulates the hottest cell: how long its decisions wait, and how
 * fast its journals drain.
 */
export function scaleRow(scale: Scale, options: ScaleOptions): ScaleRow {
  const { nodes, exponent, seed, waitSeconds } = options;
  const random = createRandom(seed);
  const cells = nodes / scale.nodesPerCell;
  const shares = zipfShares(scale.workspaces, exponent);
  const first = placeByChance(shares, cells, random);
  const placed = balance(first, FLOORS.hottestMax);
  const balanced = hottestOverMean(placed.cells);
  const hottestRate = meanCellRate(scale) * balanced;
  const waits = simulateWaits(
    {
      ratePerSecond: hottestRate,
      seconds: waitSeconds,
      nodes: scale.nodesPerCell,
      coresPerNode: scale.nodeCores,
      serviceUs: scale.serverUs,
      // Most decisions evaluate few rules, and some a hundred. The exponential distribution is the widest plausible
      // spread.
      stretch: (source) => -Math.log(1 - source.next()),
    },
    random,
  );
  return {
    nodes,
    cells,
    exponent,
    ratePerSecond: meanCellRate(scale) * cells,
    largest: (shares[0] as number) * cells,
    byChance: hottestOverMean(first.cells),
    balanced,
    moved: placed.moved,
    divided: placed.divided,
    waits,
    outage: simulateOutage(scale, hottestRate, FLOORS.outageSeconds),
  };
}

const COLUMNS: readonly [head: string, cell: (row: ScaleRow) => string][] = [
  ["nodes", (row) => String(row.nodes)],
  ["cells", (row) => String(row.cells)],
  ["Zipf", (row) => row.exponent.toFixed(1)],
  ["decisions/s", (row) => Math.round(row.ratePerSecond).toLocaleString("en-US")],
  ["largest workspace ÷ cell", (row) => row.largest.toFixed(2)],
  ["hottest ÷ mean, by chance", (row) => row.byChance.toFixed(2)],
  ["after splitting", (row) => row.balanced.toFixed(2)],
  ["moved", (row) => String(row.moved)],
  ["divided", (row) => String(row.divided)],
  ["p99 wait µs", (row) => row.waits.p99WaitUs.toFixed(0)],
  ["8 GiB last, min", (row) => (row.outage.deliveredSeconds / 60).toFixed(1)],
  ["journal, GB", (row) => (row.outage.journalBytes / 1e9).toFixed(0)],
  ["outage taken", (row) => `${(row.outage.takenShare * 100).toFixed(0)} %`],
  ["drain min", (row) => (row.outage.drainSeconds / 60).toFixed(1)],
];

export function scaleTable(rows: readonly ScaleRow[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(COLUMNS.map(([head]) => head)),
    line(COLUMNS.map(() => "---:")),
    ...rows.map((row) => line(COLUMNS.map(([, cell]) => cell(row)))),
  ];
}

export function scaleFloors(rows: readonly ScaleRow[]): FloorResult[] {
  return rows.flatMap((row) => {
    const name = `${row.nodes} nodes, Zipf ${row.exponent.toFixed(1)}`;
    return [
      {
        passed: row.balanced <= FLOORS.hottestMax,
        line: `${name}: hottest cell ${row.balanced.toFixed(3)} times the mean, at most ${FLOORS.hottestMax}`,
      },
      {
        passed: row.waits.p99WaitUs <= FLOORS.p99WaitUsMax,
        line: `${name}: a decision waits ${row.waits.p99WaitUs.toFixed(0)} µs for a core (p99), at most ${FLOORS.p99WaitUsMax}`,
      },
      {
        passed: row.outage.takenShare === 1,
        line: `${name}: ${(row.outage.takenShare * 100).toFixed(0)} % of an hour's outage is taken, all of it`,
      },
      {
        passed: row.outage.drainSeconds <= FLOORS.drainHoursMax * 3600,
        line: `${name}: drained ${(row.outage.drainSeconds / 60).toFixed(1)} min after an hour's outage, at most ${FLOORS.drainHoursMax * 60}`,
      },
    ];
  });
}
