import { execFileSync } from "node:child_process";
import { ROOT, type References } from "./references.js";

const IS_CODE = /^(?:src|test|bench|workers|examples)\//;
/** The dashboard's sources, and the folder that `npm run build` makes of them. */
const DASHBOARD = "src/dashboard/";
const BUILT_DASHBOARD = "dist/dashboard/";

/**
 * A door is a module that almost every test uses: the start of the service, or the schema of the databases. A change
 * that is reached only through a door concerns every test that uses the door, and no test in particular.
 */
const SERVICE = "dist/test/support/service/main.js";
const DATABASES = "dist/test/support/postgres/postgres.js";
const SCHEMA = "migrations/";

/**
 * Paths that differ from the point where this branch left `main`, including uncommitted changes. They are relative to
 * the repository.
 */
export function changedFiles(root: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter((line) => line !== "");
  const upstream = ["origin/main", "main"].find((name) => {
    try {
      return git("rev-parse", "--verify", name).length > 0;
    } catch {
      return false;
    }
  });
  const base = upstream === undefined ? "HEAD" : (git("merge-base", "HEAD", upstream)[0] ?? "HEAD");
  return [
    ...new Set([...git("diff", "--name-only", base), ...git("ls-files", "--others", "--exclude-standard")]),
  ];
}

/** The paths where a change shows: the file itself, and the files built from it. */
function shownIn(path: string): string[] {
  const built = /\.tsx?$/.test(path) ? [`dist/${path.replace(/\.tsx?$/, ".js")}`] : [];
  return [path, ...built, ...(path.startsWith(DASHBOARD) ? [BUILT_DASHBOARD] : [])];
}

export interface Reached {
  file: string;
  /** The number of references from the test file to the changed file. A folder counts as several. */
  distance: number;
  /** True if every path to the change leads through a door. */
  isThroughDoor: boolean;
}

/** The test files in `files` (under dist/test/) that reach a changed file. */
export function reachedBy(
  changed: readonly string[],
  files: readonly string[],
  references: References,
): Reached[] {
  const starts = files.map((file) => `dist/test/${file}`);
  const direct = distances(changed, starts, besidesDoors(references));
  const all = distances(changed, starts, references);
  return files.flatMap((file, index) => {
    const start = starts[index] as string;
    const distance = direct.get(start) ?? all.get(start);
    return distance === undefined ? [] : [{ file, distance, isThroughDoor: !direct.has(start) }];
  });
}

const besidesDoors =
  (references: References): References =>
  (path) => {
    if (path === SERVICE) return [];
    return path === DATABASES ? references(path).filter((next) => next !== SCHEMA) : references(path);
  };

/** The distance from each file that `starts` reach to the nearest changed file, in references. */
function distances(
  changed: readonly string[],
  starts: readonly string[],
  references: References,
): Map<string, number> {
  const referrers = new Map<string, string[]>(starts.map((start) => [start, []]));
  const left = [...starts];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    for (const next of references(path)) {
      const known = referrers.get(next);
      if (known === undefined) left.push(next);
      referrers.set(next, [...(known ?? []), path]);
    }
  }
  const isChanged = changeTest(changed);
  const found = new Map<string, number>();
  const waiting: string[][] = [];
  const meet = (path: string, distance: number): void => {
    (waiting[distance + breadth(path)] ??= []).push(path);
  };
  for (const path of referrers.keys()) if (isChanged(path)) meet(path, 0);
  for (let distance = 0; distance < waiting.length; distance++) {
    for (const path of waiting[distance] ?? []) {
      if (found.has(path)) continue;
      found.set(path, distance);
      for (const referrer of referrers.get(path) ?? []) meet(referrer, distance + 1);
    }
  }
  return found;
}

/** A reference to a whole folder counts as farther than one to a single file. */
function breadth(path: string): number {
  if (path === ROOT) return 3;
  return path.endsWith("/") ? 2 : 0;
}

/** Whether a path has changed. A folder has changed when a file in it has. */
function changeTest(changed: readonly string[]): (path: string) => boolean {
  const shown = new Set(changed.flatMap(shownIn));
  const isTextChanged = changed.some((path) => !IS_CODE.test(path));
  return (path) => {
    if (path === ROOT) return isTextChanged;
    if (shown.has(path)) return true;
    return path.endsWith("/") && [...shown].some((one) => one.startsWith(path));
  };
}

/** Whether one of `files` creates databases. Unit tests that do not create any need no server. */
export function needsDatabases(files: readonly string[], references: References): boolean {
  const visited = new Set(files.map((file) => `dist/test/${file}`));
  for (const path of visited) {
    if (path === DATABASES) return true;
    // A file that names a folder only reads the folder's files. If it also uses the folder's code, it starts its own
    // server.
    if (path.endsWith("/")) continue;
    for (const next of references(path)) visited.add(next);
  }
  return false;
}
