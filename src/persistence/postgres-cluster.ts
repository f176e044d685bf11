import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chown, lstat, mkdir, mkdtemp, readFile, readdir, readlink, realpath, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { isReachable, ROOT_FALLBACK_DIR, type PostgresInstall, type PostgresUser } from "./postgres-install.js";
import { POSTGRES_HBA, postgresConf } from "./postgres-settings.js";

const run = promisify(execFile);

/** Where the cluster lives: DATA_DIR/postgres, or for a DATA_DIR closed to the server's user what that name links to. */
export async function clusterDir(dataDir: string, user: PostgresUser | undefined): Promise<string> {
  const home = resolve(dataDir);
  await mkdir(home, { recursive: true });
  const path = join(home, "postgres");
  if (user === undefined || (await isReachable(home, user))) return path;
  const elsewhere = join(ROOT_FALLBACK_DIR, `data-${createHash("sha256").update(path).digest("hex").slice(0, 16)}`);
  const linked = await lstat(path).catch(() => undefined);
  if (linked === undefined) {
    // DATA_DIR was emptied: the old cluster went with it.
    await rm(elsewhere, { recursive: true, force: true });
    await mkdir(ROOT_FALLBACK_DIR, { recursive: true, mode: 0o755 });
    await symlink(elsewhere, path);
  }
  return elsewhere;
}

/**
 * Makes the cluster unless it is there. initdb works in a neighbouring directory that is renamed when complete,
 * so a process killed half-way leaves no half-made cluster.
 */
export async function ensureCluster(dir: string, install: PostgresInstall): Promise<void> {
  if (await exists(join(dir, "PG_VERSION"))) return;
  const draft = `${dir}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  if (install.user !== undefined) await chown(draft, install.user.uid, install.user.gid);
  const args = [`--pgdata=${draft}`, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  args.push("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-instructions");
  await run(install.initdb, args, { ...install.user, cwd: "/", env: serverEnvironment() });
  await rename(draft, dir);
}

/** Writes our configuration and returns the socket's directory: short, since a socket's path ends at 107 bytes. */
export async function configureCluster(dir: string, user: PostgresUser | undefined): Promise<string> {
  const previous = /^unix_socket_directories = '(\/tmp\/payinference-\w+)'$/m.exec(
    await readFile(join(dir, "postgresql.conf"), "utf8"),
  )?.[1];
  // An unclean end leaves the directory behind, empty; used again it does not pile up.
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

/** postmaster.pid, https://www.postgresql.org/docs/18/storage-file-layout.html */
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
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, socketDir: lines[4] ?? "", status: lines[7] ?? "" } : undefined;
}

/** True when `pid` is a live postmaster of this very cluster (its working directory is the cluster; only Linux tells). */
export async function servesCluster(pid: number, dir: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(dir)) && !(await isZombie(pid));
  } catch {
    return false;
  }
}

/** A lock file that names a process which is gone, or is by now another program, would keep the server from starting. */
export async function removeStaleLock(dir: string, lock: LockFile): Promise<void> {
  await rm(join(dir, "postmaster.pid"), { force: true });
  if (/^\/tmp\/payinference-\w+$/.test(lock.socketDir)) await rm(lock.socketDir, { recursive: true, force: true });
}

/** The server reads nothing from our environment: PG* variables or a locale of ours must not change it. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" };
}

async function isOwnEmptyDir(path: string, user: PostgresUser | undefined): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry === undefined || !entry.isDirectory() || (entry.mode & 0o777) !== 0o700) return false;
  return entry.uid === (user?.uid ?? process.getuid?.()) && (await readdir(path)).length === 0;
}

async function isZombie(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).startsWith("Z");
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
