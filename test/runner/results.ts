import { readFile } from "node:fs/promises";

/** What a test file came to, told by test/runner/reporter.ts as one line of JSON. */
export interface FileResult {
  file: string;
  isPassed: boolean;
  ms: number;
}

/** Of the files that told one; the last result of a file counts. */
export async function readResults(path: string): Promise<Map<string, FileResult>> {
  const results = new Map<string, FileResult>();
  const text = await readFile(path, "utf8").catch(() => "");
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const result = JSON.parse(line) as FileResult;
    results.set(result.file, result);
  }
  return results;
}

const SHOWN = 10;

/** The slowest files, in words. */
export function slowest(results: Iterable<FileResult>, count = SHOWN): string {
  const rows = [...results]
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, count)
    .map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
  return rows.length === 0 ? "" : `slowest files:\n${rows.join("\n")}\n`;
}
