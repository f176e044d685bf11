import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Imports, and what a file names beside itself: threads, documents, folders. */
const REFERENCES = [
  /(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g,
  /new URL\(\s*["'`](\.{1,2}\/[^"'`$]*)["'`]\s*,\s*import\.meta\.url/g,
];

/** Who names the repository itself reads documents, packages and deployments: all but what imports tell. */
const ROOT = "./";
const IS_CODE = /^(?:src|test|bench|workers|examples)\//;

/** What tests start the service by: almost every change reaches it, and no test of it is done in seconds. */
const STARTS_THE_SERVICE = "dist/test/support/service/main.js";

/** Paths below the repository that differ from where this branch left `main`, those not committed included. */
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

/** Where tsc puts it. */
function built(path: string): string {
  return /\.tsx?$/.test(path) ? `dist/${path.replace(/\.tsx?$/, ".js")}` : path;
}

export interface Selection {
  /** Under dist/test/: those whose imports reach a change. */
  files: string[];
  /** The same, of those that a change reaches only through the service that they start. */
  throughService: string[];
}

/** Which of `files`, under `root`/dist/test/, reach a changed one. */
export function reachedBy(changed: readonly string[], root: string, files: readonly string[]): Selection {
  const targets = new Set(changed.map(built));
  const known = new Map<string, readonly string[]>();
  const referencesOf = (path: string): readonly string[] => {
    let found = known.get(path);
    if (found === undefined) {
      found = path.endsWith(".js") ? references(root, path) : [];
      known.set(path, found);
    }
    return found;
  };
  /** A folder is reached with what is in it. */
  const isTarget = (path: string): boolean =>
    targets.has(path) ||
    (path === ROOT
      ? changed.some((one) => !IS_CODE.test(one))
      : path.endsWith("/") && changed.some((one) => one.startsWith(path)));
  const reaches = (start: string, isThroughService: boolean): boolean => {
    const seen = new Set([start]);
    const left = [start];
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      if (isTarget(path)) return true;
      if (path === STARTS_THE_SERVICE && !isThroughService) continue;
      for (const next of referencesOf(path)) {
        if (seen.has(next)) continue;
        seen.add(next);
        left.push(next);
      }
    }
    return false;
  };
  const paths = files.map((file) => ({ file, path: `dist/test/${file}` }));
  const direct = paths.filter(({ path }) => reaches(path, false));
  const rest = paths.filter((one) => !direct.includes(one));
  return {
    files: direct.map(({ file }) => file),
    throughService: rest.filter(({ path }) => reaches(path, true)).map(({ file }) => file),
  };
}

function references(root: string, path: string): string[] {
  let source: string;
  try {
    source = readFileSync(join(root, path), "utf8");
  } catch {
    return [];
  }
  const found: string[] = [];
  for (const pattern of REFERENCES) {
    for (const [, specifier] of source.matchAll(pattern)) {
      const target = relative(root, join(root, dirname(path), specifier as string));
      if (target.startsWith("..")) continue;
      const full = join(root, target);
      if (!existsSync(full)) continue;
      if (target === "") found.push(ROOT);
      else found.push(statSync(full).isDirectory() ? `${target.replace(/\/$/, "")}/` : target);
    }
  }
  return found;
}
