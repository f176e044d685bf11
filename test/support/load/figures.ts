import { appendFile } from "node:fs/promises";
import type { TestContext } from "node:test";

/** One line of RELIABILITY.md. */
export interface Figures {
  /** What was done to the service; one line of the table for each. */
  fault: string;
  /** What is promised of it, with its numbers. */
  promised: string;
  /** What was measured. */
  measured: string;
}

/** Says it in the test's output, and hands it to `npm run test:faults`, which writes the table. */
export async function recordFigures(t: TestContext, figures: Figures): Promise<void> {
  t.diagnostic(`${figures.fault}: ${figures.measured}`);
  const file = process.env["FAULTS_FIGURES_FILE"];
  if (file !== undefined) await appendFile(file, `${JSON.stringify(figures)}\n`);
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed()} ms`;
export const seconds = (valueMs: number): string => `${(valueMs / 1000).toFixed(1)} s`;
export const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** The middle one of an odd number, the higher of the two in the middle otherwise. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
