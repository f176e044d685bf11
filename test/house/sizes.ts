import { posix } from "node:path";
import { LIMITS, UNLIMITED_FOLDERS } from "./floors.js";
import type { SourceFile } from "./source-file.js";
import type { TooLong } from "./too-long.js";

/** Folders with more files than a reader can survey. */
export function crowdedFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
  return Array.from(counts)
    .filter(([folder, count]) => count > LIMITS.folderFilesMax && !UNLIMITED_FOLDERS.includes(folder))
    .map(([folder, count]) => `${folder} has ${count} files, at most ${LIMITS.folderFilesMax}`);
}

/** Folders of `src` that are nested deeper than the linter's boundaries reach. */
export function deepFolders(files: readonly string[]): string[] {
  const folders = new Set(files.filter((file) => file.startsWith("src/")).map((file) => posix.dirname(file)));
  return Array.from(folders)
    .filter((folder) => folder.split("/").length - 1 > LIMITS.folderLevelsMax)
    .map((folder) => `${folder} lies deeper than ${LIMITS.folderLevelsMax} folders below src`);
}

/**
 * One fault for each file or function that is over its limit and not listed, or that has grown since it was listed.
 * Another fault for each listed one that is within its limit again, or gone.
 */
export function longFaults(sources: readonly SourceFile[], listed: readonly TooLong[]): string[] {
  const longest = new Map<string, number>();
  const keep = (key: string, lines: number): void => {
    longest.set(key, Math.max(lines, longest.get(key) ?? 0));
  };
  for (const { path, lines, functions } of sources) {
    keep(path, lines);
    for (const one of functions) keep(keyOf(path, one.name), one.lines);
  }
  const limits = new Map(listed.map(({ path, name, lines }) => [keyOf(path, name), lines]));
  const long = Array.from(longest)
    .filter(([key, lines]) => lines > (limits.get(key) ?? limitOf(key)))
    .map(([key, lines]) => `${key} has ${lines} lines, at most ${limits.get(key) ?? limitOf(key)}`);
  const mended = Array.from(limits.keys())
    .filter((key) => (longest.get(key) ?? 0) <= limitOf(key))
    .map((key) => `${key} is no longer too long: take it out of test/house/too-long.ts`);
  return [...long, ...mended];
}

const keyOf = (path: string, name?: string): string => (name === undefined ? path : `${path}: ${name}`);
const limitOf = (key: string): number => (key.includes(": ") ? LIMITS.functionLinesMax : LIMITS.fileLinesMax);
