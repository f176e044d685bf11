import { readFile, readdir, readlink, realpath } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_INTERVAL_MS = 10;
const LEFTOVERS_MS_MAX = 2_000;

/**
 * True if `pid` is a live postmaster of this very cluster. A postmaster's working directory is its cluster, and only
 * Linux shows that directory. On other systems every live process counts.
 */
export async function servesCluster(pid: number, dir: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(dir)) && !(await isZombie(pid));
  } catch {
    return false;
  }
}

/**
 * The server processes of this very cluster: its postmaster, the children of a living or dead postmaster, and an initdb
 * that makes the cluster. Other programs that run in the directory are left out. Empty on systems without /proc.
 */
export async function clusterProcesses(dir: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const home = await realpath(dir).catch(() => "");
  if (home === "") return [];
  const names = await readdir("/proc");
  const found = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const [cwd, program] = await Promise.all(
          ["cwd", "exe"].map((link) => readlink(`/proc/${name}/${link}`).catch(() => "")),
        );
        return cwd === home && /\/(?:postgres|initdb)(?: \(deleted\))?$/.test(program ?? "")
          ? [Number(name)]
          : [];
      }),
  );
  return found.flat();
}

/**
 * Ends the children of a dead postmaster. While they hold its shared memory, no server can start. They end by
 * themselves when they notice its death, but a stopped child (SIGSTOP) never notices.
 */
export async function endLeftovers(dir: string): Promise<void> {
  const deadlineMs = performance.now() + LEFTOVERS_MS_MAX;
  for (;;) {
    const left = await clusterProcesses(dir);
    if (left.length === 0 || performance.now() > deadlineMs) return;
    for (const id of left) sendSignal(id, "SIGKILL");
    await sleep(POLL_INTERVAL_MS);
  }
}

/** False if the process does not exist, or if this process may not signal it. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

async function isZombie(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).startsWith("Z");
}
