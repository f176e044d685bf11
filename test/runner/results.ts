import { readFile } from "node:fs/promises";

/** The result of a test file. test/runner/reporter.ts writes it as one line of JSON. */
export interface FileResult {
  file: string;
  isPassed: boolean;
  ms: number;
  /** The counts of the file's tests. */
  passed: number;
  failed: number;
  skipped: number;
}

/** The CPU that a test file used. test/support/together.ts writes it as one line of JSON. */
export interface FileCost {
  file: string;
  ownS: number;
  /** The CPU seconds of processes that the test file started. */
  startedS: number;
}

/** Reads lines of JSON into a map by test file. A file's last line counts. The map is empty if `path` is missing. */
export async function readByFile<T extends { file: string }>(path: string): Promise<Map<string, T>> {
  const text = await readFile(path, "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const entry = JSON.parse(line) as T;
      return [entry.file, entry];
    }),
  );
}

const SHOWN = 10;

/** Lists the slowest files in words, with their CPU where it is known. */
export function slowest(
  results: Iterable<FileResult>,
  costs: ReadonlyMap<string, FileCost>,
  count = SHOWN,
): string {
  const rows = [...results]
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, count)
    .map(({ file, ms }) => {
      const cost = costs.get(file);
      const cpu = cost === undefined ? " ".repeat(CPU_WIDTH) : cpuSeconds(cost.ownS + cost.startedS);
      return `${(ms / 1000).toFixed(1).padStart(7)} s ${cpu}  ${file}`;
    });
  return rows.length === 0 ? "" : `slowest files:\n${rows.join("\n")}\n`;
}

const cpuSeconds = (seconds: number): string => `${seconds.toFixed(1).padStart(7)} CPU-s`;
const CPU_WIDTH = cpuSeconds(0).length;

/** The last line of a run. A file has no result when its process ended too early. */
export function summary(
  files: readonly string[],
  results: ReadonlyMap<string, FileResult>,
  tookMs: number,
): string {
  const reported = files.flatMap((file) => results.get(file) ?? []);
  const sum = (of: (result: FileResult) => number): number =>
    reported.reduce((total, result) => total + of(result), 0);
  const [passed, failed, skipped] = [
    sum((result) => result.passed),
    sum((result) => result.failed),
    sum((result) => result.skipped),
  ];
  const tests = passed + failed + skipped;
  const lost = files.length - reported.length;
  return (
    `${counted(files.length, "file")}${lost === 0 ? "" : ` (${lost} without a result)`}, ${counted(tests, "test")}: ` +
    `${passed} passed, ${failed} failed, ${skipped} skipped, in ${(tookMs / 1000).toFixed(1)} s\n`
  );
}

export const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`;
