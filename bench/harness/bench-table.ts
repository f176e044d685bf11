import { median, type Round, type Row, type RowId } from "./bench-rounds.js";

export interface RowRounds {
  row: Pick<Row, "id" | "label">;
  rounds: readonly Round[];
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Ratios are taken within a round, in which both rows had the same neighbours. Only then is the median taken. */
export function ratioWithinRounds(of: readonly Round[], to: readonly Round[]): Spread {
  const ratios = of.map(
    (round, index) => round.requestsPerSecond / (to[index]?.requestsPerSecond ?? Number.NaN),
  );
  return { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
}

export function roundsOf(rows: readonly RowRounds[], id: RowId): readonly Round[] | undefined {
  return rows.find((entry) => entry.row.id === id)?.rounds;
}

/** A Markdown table that also reads well in a terminal. */
export function markdownTable(head: readonly string[], body: ReadonlyArray<readonly string[]>): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((line) => line[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...body.map(line)].join("\n");
}

/**
 * The table of the closed-loop rounds: each row's medians, its ratio to the bare row, and its spread over the rounds.
 */
export function throughputTable(rows: readonly RowRounds[]): string {
  const bare = roundsOf(rows, "a") ?? [];
  const head = [
    "row",
    "req/s",
    "÷ (a)",
    "min–max",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "server µs",
    "Postgres µs",
    "generator µs",
  ];
  return markdownTable(
    head,
    rows.map(({ row, rounds }) => {
      const ratio = ratioWithinRounds(rounds, bare);
      const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
      return [
        `(${row.id}) ${row.label}`,
        of((round) => round.requestsPerSecond).toFixed(0),
        ratio.median.toFixed(3),
        `${ratio.min.toFixed(3)}–${ratio.max.toFixed(3)}`,
        of((round) => round.p50Ms).toFixed(2),
        of((round) => round.p95Ms).toFixed(2),
        of((round) => round.p99Ms).toFixed(2),
        microseconds(of((round) => round.serverCpuMicros)),
        microseconds(of((round) => round.postgresCpuMicros)),
        microseconds(of((round) => round.generatorCpuMicros)),
      ];
    }),
  );
}

function microseconds(value: number): string {
  return Number.isNaN(value) ? "–" : value.toFixed(1);
}
