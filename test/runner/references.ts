import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * The paths that a built file refers to, below the repository: its imports, and the files that it reads or starts at
 * run time. A path that ends with a slash stands for everything in that folder.
 */
export type References = (path: string) => readonly string[];

/** A file that names the repository itself reads documents, packages and deployment files, but no code. */
export const ROOT = "./";

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;
/** Matches `new URL("…", import.meta.url)`, for example a worker's file or a folder. */
const BESIDE = /new URL\(\s*["'`]([^"'`$]*)(\$\{)?[^"'`]*["'`]\s*,\s*import\.meta\.url/g;
/** Matches a path in a string, relative to the repository or to dist: `"workers/writer.js"`. */
const NAMED = /["'`](?!dist\/)((?:[\w.-]+\/)+(?:[\w.-]+\.\w+)?)["'`]/g;
/**
 * Matches a path below a folder that the file has a constant for: `new URL("docs/", ROOT)`, `join(root, "migrations")`.
 */
const BELOW_ROOT =
  /new URL\(\s*["']([\w./-]+)["']\s*,\s*root\b|(?:join|resolve)\(\s*root\s*,\s*["']([\w./-]+)["']/gi;

/** A file that names one of these folders lists its files but loads none of them. */
const TOO_WIDE = new Set(["dist/", "dist/test/"]);

/** A bundle contains what its entry loads: `dist/src/main.js`, or a worker's file. */
const BUNDLED = /^dist\/service\/(?:(main)|(workers\/\w+))\.js$/;

/** The service names every path that it reads, and never reads the whole repository. */
const NAMES_ALL_IT_READS = /^dist\/(?:src|workers)\//;

/** Returns a function that reads each file only once. */
export function referencesUnder(root: string): References {
  const known = new Map<string, readonly string[]>();
  return (path) => {
    let found = known.get(path);
    if (found === undefined) {
      found = path.endsWith("/") ? modulesIn(root, path) : referencesOf(root, path);
      known.set(path, found);
    }
    return found;
  };
}

function referencesOf(root: string, path: string): string[] {
  if (!path.endsWith(".js")) return [];
  const [, main, thread] = BUNDLED.exec(path) ?? [];
  if (main !== undefined || thread !== undefined) return [`dist/${thread ?? "src/main"}.js`];
  let source: string;
  try {
    source = readFileSync(join(root, path), "utf8");
  } catch {
    return [];
  }
  const found = new Set<string>();
  const add = (target: string): void => {
    const entry = entryAt(root, target);
    if (entry === ROOT && NAMES_ALL_IT_READS.test(path)) return;
    if (entry !== undefined && !TOO_WIDE.has(entry)) found.add(entry);
  };
  const here = join(root, dirname(path));
  for (const [, specifier] of source.matchAll(IMPORT)) add(join(here, specifier as string));
  for (const [, start = "", isTemplate] of source.matchAll(BESIDE)) {
    // A template counts as the folder that its fixed part names. A template without a fixed folder is skipped, because
    // whole paths are filled in.
    const fixed = isTemplate === undefined ? start : start.slice(0, start.lastIndexOf("/") + 1);
    if (isTemplate === undefined || /\w/.test(fixed)) add(join(here, fixed));
  }
  for (const [, below, joined] of source.matchAll(BELOW_ROOT)) add(join(root, (below ?? joined) as string));
  for (const [, named] of source.matchAll(NAMED)) {
    add(join(root, named as string));
    add(join(root, "dist", named as string));
  }
  return [...found];
}

/** Undefined where nothing exists, or where the path is not below the root. */
function entryAt(root: string, path: string): string | undefined {
  const target = relative(root, path);
  if (target.startsWith("..") || !existsSync(path)) return undefined;
  if (target === "") return ROOT;
  return statSync(path).isDirectory() ? `${target.replace(/\/$/, "")}/` : target;
}

/** The modules in a folder. Files that load the whole folder load these. */
function modulesIn(root: string, folder: string): string[] {
  if (!folder.startsWith("dist/")) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => folder + name);
}
