import { execFileSync, type ExecFileSyncOptions } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMigrationHead } from "../../src/platform/postgres/migration-heads.js";

/** The two builds cannot be compared. The message says why, in one line. */
export class NotJudgedError extends Error {}

const LANDED = "main";
const LOCK = "package-lock.json";
const MIGRATIONS = "migrations/";

/**
 * Returns the commit to upgrade from. This is the newest commit of `main` that this checkout contains. If this checkout
 * is that commit without a change, it is the commit before it. `named` replaces this choice.
 */
export function landedCommit(root: string, named?: string): string {
  if (named !== undefined) return commitOf(root, named);
  commitOf(root, LANDED);
  const landed = mergeBase(root);
  const isLanded =
    landed === commitOf(root, "HEAD") && git(root, "status", "--porcelain", "--untracked-files=no") === "";
  return isLanded ? commitOf(root, `${landed}~1`) : landed;
}

function mergeBase(root: string): string {
  try {
    return git(root, "merge-base", LANDED, "HEAD");
  } catch {
    // A clone without history has no common commit.
    throw new NotJudgedError(`${LANDED} and this checkout have no common commit; --from names one`);
  }
}

function commitOf(root: string, name: string): string {
  try {
    return git(root, "rev-parse", "--verify", "--quiet", `${name}^{commit}`);
  } catch {
    throw new NotJudgedError(`this checkout has no commit ${name} to upgrade from; --from names another one`);
  }
}

/**
 * Throws NotJudgedError if a migration of `commit` was changed or removed since, or if a new migration is marked as
 * breaking for running nodes.
 */
export function assertMigrationsFollow(root: string, commit: string): void {
  const landed = migrationsOf(
    git(root, "ls-tree", "-r", "--format=%(objectname) %(path)", commit, MIGRATIONS),
  );
  const files = readdirSync(join(root, MIGRATIONS))
    .toSorted()
    .map((name) => MIGRATIONS + name);
  const hashes = git(root, "hash-object", ...files).split("\n");
  const ours = new Map(files.map((file, index) => [file, hashes[index]]));
  const changed = [...landed].filter(([file, hash]) => ours.get(file) !== hash).map(([file]) => file);
  const since = `since ${commit.slice(0, 8)}`;
  if (changed.length > 0)
    throw new NotJudgedError(`changed ${since}, so no database can have both: ${changed.join(", ")}`);
  const breaking = files
    .filter((file) => !landed.has(file))
    .filter(
      (file) => readMigrationHead(file, readFileSync(join(root, file), "utf8")).runningNodes === "breaking",
    );
  if (breaking.length > 0) {
    throw new NotJudgedError(
      `no rolling upgrade ${since}: ${breaking.join(", ")} breaks running nodes (NODE-6)`,
    );
  }
}

const migrationsOf = (lines: string): Map<string, string> =>
  new Map(
    lines.split("\n").map((line) => {
      const [hash = "", file = ""] = line.split(" ");
      return [file, hash];
    }),
  );

export interface LandedBuild {
  /** The service's entry, as `npm start` runs it. */
  main: string;
  remove(): void;
}

/**
 * Builds `commit` in a temporary directory, with the build steps of that commit. If the packages are the same, the
 * build starts from the packages and the output of this checkout. That saves two thirds of the work.
 */
export function buildLanded(root: string, commit: string): LandedBuild {
  const dir = mkdtempSync(join(tmpdir(), "payinference-landed-"));
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  const run = (file: string, ...args: string[]): void => void execFileSync(file, args, QUIETLY(dir));
  try {
    const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 1024 ** 3 });
    execFileSync("tar", ["-x"], { cwd: dir, input: archive });
    if (readFileSync(join(root, LOCK), "utf8") === readFileSync(join(dir, LOCK), "utf8")) {
      takePackages(root, dir);
      cpSync(realpathSync(join(root, "dist")), join(dir, "dist"), {
        recursive: true,
        preserveTimestamps: true,
      });
    } else run("npm", "ci", "--prefer-offline", "--no-audit", "--no-fund");
    run(process.execPath, "build/build.mjs");
  } catch (error) {
    remove();
    throw error;
  }
  return { main: join(dir, "dist/service/main.js"), remove };
}

const QUIETLY = (cwd: string): ExecFileSyncOptions => ({ cwd, stdio: ["ignore", "ignore", "inherit"] });

/**
 * The compiler reuses its earlier results only if node_modules is a real folder. So its files are hard-linked one by
 * one.
 */
function takePackages(root: string, dir: string): void {
  const [from, to] = [join(root, "node_modules"), join(dir, "node_modules")];
  try {
    execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
  } catch {
    // Hard links need one file system, and the temporary directory is on another one.
    rmSync(to, { recursive: true, force: true });
    symlinkSync(from, to);
  }
}

const git = (root: string, ...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
