import { execFile } from "node:child_process";
import { readFile, readdir, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/**
 * A PostgreSQL server does a fast shutdown at the first signal and an immediate one at the second. The last signal ends
 * any other process.
 */
const ORDERS = [
  ["SIGINT", 5_000],
  ["SIGQUIT", 2_000],
  ["SIGKILL", 2_000],
] as const;
const POLL_MS = 50;
/** A cluster is a temporary directory's `postgres`, or a grandchild of the directory. */
const CLUSTER_DEPTH_MAX = 3;
const SOCKET_DIR = /^unix_socket_directories = '(\/tmp\/payinference-\w+)'/m;

/**
 * Ends every process that a run's tests have left, and removes `dirs`, which contain all files of the run. A process
 * belongs to the run if its command, its environment or its working directory names one of `dirs`. This works on Linux
 * only.
 */
export async function removeRun(dirs: readonly string[]): Promise<void> {
  for (const [signal, waitMs] of ORDERS) {
    const deadlineMs = performance.now() + waitMs;
    let left = await processesOf(dirs);
    for (const pid of left) send(pid, signal);
    // A stopped process handles no signal until it continues.
    for (const pid of left) send(pid, "SIGCONT");
    while (left.length > 0 && performance.now() < deadlineMs) {
      await sleep(POLL_MS);
      left = await processesOf(dirs);
    }
    if (left.length === 0) break;
  }
  for (const dir of dirs) {
    await unmountBelow(dir);
    for (const socketDir of await socketDirs(dir, CLUSTER_DEPTH_MAX))
      await rm(socketDir, { recursive: true, force: true });
    await rm(dir, { recursive: true, force: true });
  }
}

async function processesOf(dirs: readonly string[]): Promise<number[]> {
  const pids = (await readdir("/proc").catch(() => [])).map(Number).filter(Number.isInteger);
  const isOurs = await Promise.all(
    pids.map(async (pid) => {
      if (pid === process.pid) return false;
      const openFiles = await Promise.all([
        readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""),
        readFile(`/proc/${pid}/environ`, "utf8").catch(() => ""),
        readlink(`/proc/${pid}/cwd`).catch(() => ""),
      ]);
      return dirs.some((dir) => openFiles.some((text) => text.includes(dir)));
    }),
  );
  return pids.filter((_pid, index) => isOurs[index]);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}

/** Unmounts the small disks that fault tests fill. A later mount may cover an earlier one. */
async function unmountBelow(dir: string): Promise<void> {
  const mounts = await readFile("/proc/self/mounts", "utf8").catch(() => "");
  const points = mounts.split("\n").flatMap((line) => line.split(" ")[1] ?? []);
  for (const point of points.toReversed()) {
    if (point.startsWith(`${dir}/`)) await promisify(execFile)("umount", ["-l", point]);
  }
}

/**
 * The socket directories of the servers below `dir`. They are outside `dir`, because a socket's path must be short. A
 * killed server leaves its directory behind.
 */
async function socketDirs(dir: string, depth: number): Promise<string[]> {
  const config = await readFile(join(dir, "postgresql.conf"), "utf8").catch(() => undefined);
  if (config !== undefined) return config.match(SOCKET_DIR)?.slice(1) ?? [];
  if (depth === 0) return [];
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const below = entries.filter((entry) => entry.isDirectory());
  return (await Promise.all(below.map(({ name }) => socketDirs(join(dir, name), depth - 1)))).flat();
}
