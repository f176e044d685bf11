import type { FloorResult } from "../../bench/harness/floor-result.js";
import { HASTY, type RetryFigures } from "./simulate.js";

/** The promise of the issue Contract-2, "Retries within the schemes' rules". */
export const RETRY_FLOORS = { recoveredShare: 0.95 } as const;

const total = (rows: readonly RetryFigures[], figure: (row: RetryFigures) => number): number =>
  rows.reduce((sum, row) => sum + figure(row), 0);

/**
 * Only patient merchants have a floor on the recovered value. A hasty merchant wastes its attempts, and the product
 * allows that.
 */
export function checkRetryFloors(rows: readonly RetryFigures[]): FloorResult[] {
  const excess = total(rows, (row) => row.excess);
  const wrong = total(rows, (row) => row.wrong);
  const asked = total(rows, (row) => row.asked);
  const patient = rows.filter(({ merchant }) => merchant !== HASTY.name);
  const recovered = share(
    total(patient, (row) => row.recoveredMinor),
    total(patient, (row) => row.recoverableMinor),
  );
  return [
    { passed: excess === 0, line: `${excess} excess attempts, at most 0` },
    { passed: wrong === 0, line: `${wrong} of ${asked} answers are not the reference's, at most 0` },
    {
      passed: recovered >= RETRY_FLOORS.recoveredShare,
      line: `${percent(recovered)} of the recoverable value, at least ${percent(RETRY_FLOORS.recoveredShare)}`,
    },
  ];
}

const WIDTHS = [9, 12, 8, 9, 9, 8, 8, 12, 12, 8] as const;

export function retryTable(rows: readonly RetryFigures[]): string[] {
  const head = "merchant scheme cards asked retries excess wrong recovered oracle share".split(" ");
  const body = rows.map((row) => [
    row.merchant,
    row.scheme,
    row.cards,
    row.asked,
    row.retries,
    row.excess,
    row.wrong,
    Math.round(row.recoveredMinor / 100),
    Math.round(row.recoverableMinor / 100),
    percent(share(row.recoveredMinor, row.recoverableMinor)),
  ]);
  return [head, ...body].map((cells) =>
    cells
      .map((cell, at) =>
        at < 2 ? String(cell).padEnd(WIDTHS[at] ?? 0) : String(cell).padStart(WIDTHS[at] ?? 0),
      )
      .join(" "),
  );
}

function share(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : part / whole;
}

function percent(fraction: number): string {
  return `${(100 * fraction).toFixed(2)} %`;
}
