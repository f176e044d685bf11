import { appendFile } from "node:fs/promises";
import type { TestContext } from "node:test";

/** One line of RELIABILITY.md. */
export interface Figures {
  /** The fault of the service. Each fault is one line of the table. */
  fault: string;
  /** The service's promise for this fault, with numbers. */
  promised: string;
  /** The measured result. */
  measured: string;
}

/** Prints the figures in the test's output. `npm run test:faults` collects them and writes the table. */
export async function recordFigures(t: TestContext, figures: Figures): Promise<void> {
  t.diagnostic(`${figures.fault}: ${figures.measured}`);
  const file = process.env["FAULTS_FIGURES_FILE"];
  if (file !== undefined) await appendFile(file, `${JSON.stringify(figures)}\n`);
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed()} ms`;
export const seconds = (valueMs: number): string => `${(valueMs / 1000).toFixed(1)} s`;
export const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** The median. For an even count it is the higher of the two middle values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
