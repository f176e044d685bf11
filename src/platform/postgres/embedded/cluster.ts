import { execFile } from "node:child_process";
import {
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { endLeftovers } from "./cluster-processes.js";
import type { PostgresInstall, PostgresUser } from "./install.js";
import { POSTGRES_HBA, postgresConf } from "./settings.js";

const run = promisify(execFile);

/** The directory of the cluster: DATA_DIR/postgres. */
export async function clusterDir(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  return join(await realpath(dataDir), "postgres");
}

/**
 * The path by which a server finds the cluster, if the server's working directory is `dir`. If root starts the service,
 * the server runs as another user. That user may have no access to the directories above (/root, or root's mkdtemp),
 * and this path needs none.
 */
export function clusterPath(dir: string, user: PostgresUser | undefined): string {
  return user !== undefined && process.platform === "linux" ? "/proc/self/cwd" : dir;
}

/**
 * Creates the cluster unless it exists. initdb works in a neighbouring directory, which is renamed when it is complete.
 * So a process that is killed half-way leaves no half-made cluster.
 */
export async function ensureCluster(
  dir: string,
  install: PostgresInstall,
  signal?: AbortSignal,
): Promise<void> {
  if (await exists(join(dir, "PG_VERSION"))) return;
  const draft = draftOf(dir);
  // An initdb of a killed service may still run, and would write into the directory that is removed next.
  await endLeftovers(draft);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  if (install.user !== undefined) await chown(draft, install.user.uid, install.user.gid);
  const args = [
    `--pgdata=${clusterPath(draft, install.user)}`,
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--no-instructions",
    ...install.locale,
  ];
  const options = { ...install.user, cwd: draft, env: serverEnvironment() };
  try {
    await run(install.initdb, args, signal === undefined ? options : { ...options, signal });
  } catch (error) {
    // initdb had started a server to fill the tables. That server does not notice initdb's end.
    await endLeftovers(draft);
    throw error;
  }
  await rename(draft, dir);
}

/** The directory in which initdb makes the cluster for `dir`. */
const draftOf = (dir: string): string => `${dir}.new`;

/**
 * Writes postgresql.conf and pg_hba.conf, and returns the socket's directory. The directory's name is short, because a
 * socket's path may have at most 107 bytes.
 */
export async function configureCluster(dir: string, user: PostgresUser | undefined): Promise<string> {
  const previous = /^unix_socket_directories = '(\/tmp\/payinference-\w+)'$/m.exec(
    await readFile(join(dir, "postgresql.conf"), "utf8"),
  )?.[1];
  // A service that was killed leaves an empty directory. It is reused, so that directories do not pile up.
  const reusable = previous !== undefined && (await isOwnEmptyDir(previous, user));
  const socketDir = reusable ? previous : await mkdtemp("/tmp/payinference-");
  if (!reusable && user !== undefined) await chown(socketDir, user.uid, user.gid);
  for (const [name, text] of [
    ["postgresql.conf", postgresConf(socketDir)],
    ["pg_hba.conf", POSTGRES_HBA],
  ] as const) {
    const path = join(dir, name);
    await writeFile(path, text, { mode: 0o600 });
    if (user !== undefined) await chown(path, user.uid, user.gid);
  }
  return socketDir;
}

/** The content of postmaster.pid, https://www.postgresql.org/docs/18/storage-file-layout.html */
export interface LockFile {
  pid: number;
  socketDir: string;
  /** `starting`, `stopping`, `ready` or `standby` */
  status: string;
}

export async function readLockFile(dir: string): Promise<LockFile | undefined> {
  const text = await readFile(join(dir, "postmaster.pid"), "utf8").catch(() => "");
  const lines = text.split("\n").map((line) => line.trim());
  const pid = Number(lines[0]);
  return Number.isSafeInteger(pid) && pid > 0
    ? { pid, socketDir: lines[4] ?? "", status: lines[7] ?? "" }
    : undefined;
}

/**
 * Removes the lock file of a process that is gone, or whose id belongs to another program. While the file is there, no
 * server can start.
 */
export async function removeStaleLock(dir: string, lock: LockFile): Promise<void> {
  await rm(join(dir, "postmaster.pid"), { force: true });
  if (/^\/tmp\/payinference-\w+$/.test(lock.socketDir))
    await rm(lock.socketDir, { recursive: true, force: true });
}

/**
 * The environment of the server. It leaves out this process's PG* variables and locale, which would change the server.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" };
}

async function isOwnEmptyDir(path: string, user: PostgresUser | undefined): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry === undefined || !entry.isDirectory() || (entry.mode & 0o777) !== 0o700) return false;
  return entry.uid === (user?.uid ?? process.getuid?.()) && (await readdir(path)).length === 0;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
