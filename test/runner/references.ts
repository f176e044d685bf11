import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * What a built file names, by paths below the repository: what it imports, and what it reads or starts at run time. A
 * folder ends with a slash, and stands for all that is in it.
 */
export type References = (path: string) => readonly string[];

/** Who names the repository itself reads documents, packages and deployments: all but code. */
export const ROOT = "./";

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;
/** A thread's file, a folder: `new URL("…", import.meta.url)`. */
const BESIDE = /new URL\(\s*["'`]([^"'`$]*)(\$\{)?[^"'`]*["'`]\s*,\s*import\.meta\.url/g;
/** A path in a text, by which a file is found under the repository or under dist: `"workers/writer.js"`. */
const NAMED = /["'`](?!dist\/)((?:[\w.-]+\/)+(?:[\w.-]+\.\w+)?)["'`]/g;
/** Below a folder that the file has a name for: `new URL("docs/", ROOT)`, `join(root, "migrations")`. */
const BELOW_ROOT =
  /new URL\(\s*["']([\w./-]+)["']\s*,\s*root\b|(?:join|resolve)\(\s*root\s*,\s*["']([\w./-]+)["']/gi;

/** Who names these lists what is there, and loads none of it. */
const TOO_WIDE = new Set(["dist/", "dist/test/"]);

/** A bundle has what its entry loads: `dist/src/main.js`, or a thread's own file. */
const BUNDLED = /^dist\/service\/(?:(main)|(workers\/\w+))\.js$/;

/** Of the service nobody reads the whole repository: what it names below it is all. */
const NAMES_ALL_IT_READS = /^dist\/(?:src|workers)\//;

/** Reads each file once. */
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
    // Of a template, the folder that its fixed part names; one that names none is filled in with whole paths.
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

/** Undefined where nothing is there, or it is not below the root. */
function entryAt(root: string, path: string): string | undefined {
  const target = relative(root, path);
  if (target.startsWith("..") || !existsSync(path)) return undefined;
  if (target === "") return ROOT;
  return statSync(path).isDirectory() ? `${target.replace(/\/$/, "")}/` : target;
}

/** Which modules those who load a whole folder load. */
function modulesIn(root: string, folder: string): string[] {
  if (!folder.startsWith("dist/")) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => folder + name);
}
