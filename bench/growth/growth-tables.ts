import { median } from "../harness/bench-rounds.js";
import { markdownTable } from "../harness/bench-table.js";
import type { GrownDatabase } from "./grown-database.js";
import { timesOf } from "./growth-floors.js";
import type { PlatformFigures } from "./platform.js";
import type { BesideFigures, LatencyFigure } from "./publishes.js";
import type { FillFigure, RestartFigures } from "./restarts.js";
import { SIDES, type Sides } from "./sides.js";

export function grownLine(name: string, { tenants, grownInMs, databaseBytes }: GrownDatabase): string {
  const { workspaces, merchantsEach } = tenants;
  const mebibytes = (databaseBytes / 2 ** 20).toFixed(0);
  return `${name}: ${workspaces} × ${merchantsEach} merchants, ${mebibytes} MiB, grown in ${(grownInMs / 1000).toFixed(1)} s`;
}

export function fillTable(fills: Sides<FillFigure>): string {
  return markdownTable(
    ["", "ready ms", "all decide ms", "complete s", "replica MiB"],
    SIDES.map((side) => [side, ...fillCells(fills[side])]),
  );
}

function fillCells({ readyMs, allDecideMs, completeMs, replicaBytes }: FillFigure): string[] {
  const completeSeconds = (completeMs / 1000).toFixed(1);
  return [readyMs.toFixed(0), allDecideMs.toFixed(0), completeSeconds, (replicaBytes / 2 ** 20).toFixed(0)];
}

export function tenancyTable(restarts: Sides<RestartFigures>, publishes: Sides<readonly number[]>): string {
  return markdownTable(
    ["", "ready ms", "ready min–max", "private MiB", "private MiB in use", "publish ms", "publish min–max"],
    SIDES.map((side) => {
      const { readyMs, startedMebibytes, usedMebibytes } = restarts[side];
      return [
        side,
        median(readyMs).toFixed(0),
        spread(readyMs, 0),
        median(startedMebibytes).toFixed(0),
        median(usedMebibytes).toFixed(0),
        median(publishes[side]).toFixed(1),
        spread(publishes[side], 1),
      ];
    }),
  );
}

export function besideTable(besides: Sides<BesideFigures>): string {
  const line = (name: string, latencies: readonly LatencyFigure[], published: string): string[] => {
    const p99Ms = latencies.map((latency) => latency.p99Ms);
    return [
      name,
      median(latencies.map(({ p50Ms }) => p50Ms)).toFixed(2),
      median(p99Ms).toFixed(2),
      spread(p99Ms, 2),
      published,
    ];
  };
  return markdownTable(
    ["", "p50 ms", "p99 ms", "p99 min–max", "publishes/s"],
    SIDES.flatMap((side) => {
      const { alone, beside, publishesPerSecond } = besides[side];
      return [
        line(`${side}, alone`, alone, "–"),
        line(`${side}, beside publishes`, beside, median(publishesPerSecond).toFixed(1)),
      ];
    }),
  );
}

/** Puts the figures of the replica's fill below the rows. */
export function platformTable({ rows, usedMebibytes }: PlatformFigures, fill: FillFigure): string {
  const one = rows[0]?.requestsPerSecond ?? [];
  const table = markdownTable(
    ["merchants", "req/s", "÷ one", "min–max", "p99 ms", "server µs"],
    rows.map(({ merchants, requestsPerSecond, p99Ms, serverCpuMicros }) => [
      String(merchants),
      median(requestsPerSecond).toFixed(0),
      timesOf(requestsPerSecond, one).toFixed(3),
      spread(
        requestsPerSecond.map((rate, round) => rate / (one[round] ?? Number.NaN)),
        3,
      ),
      median(p99Ms).toFixed(2),
      median(serverCpuMicros).toFixed(1),
    ]),
  );
  const [readyMs, allDecideMs, completeSeconds, mebibytes] = fillCells(fill);
  return `${table}\n\nFirst start: ready ${readyMs} ms, all decide ${allDecideMs} ms, complete after ${completeSeconds} s, replica ${mebibytes} MiB; private memory after all rounds ${usedMebibytes.toFixed(0)} MiB`;
}

function spread(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;
}
