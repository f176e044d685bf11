import { spawn } from "node:child_process";
import { open, readFile, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { clusterPath, readLockFile, serverEnvironment } from "./cluster.js";
import { clusterProcesses, sendSignal, servesCluster } from "./cluster-processes.js";
import type { PostgresInstall } from "./install.js";
import { runProcessInBackground } from "../../threads/background.js";

const POLL_INTERVAL_MS = 10;
const LOG_BYTES_MAX = 16 * 1024 ** 2;
/** How long a server outlives the process that supervised it: a restart within this time adopts it, warm. */
const ORPHAN_GRACE_SECONDS = 10;

/** Children of a postmaster that was killed still hold its shared memory; they end once they notice. */
export class SharedMemoryHeldError extends Error {}

/** One running postmaster, ours from birth or adopted from a supervisor that died. */
export interface PostgresProcess {
  pid: number;
  /** Resolves when the process is gone. */
  exited: Promise<void>;
  /** Ends the watch for our own death; the server goes on. */
  release(): void;
}

/**
 * Starts the server in `dir` and resolves when it accepts connections. Rejects with the end of its log when it exits
 * before; with a SharedMemoryHeldError where a later attempt may do better; with an AbortError, once the server has
 * ended, where `stopping` is aborted before: one that recovers may take minutes.
 */
export async function spawnPostgres(
  install: PostgresInstall,
  dir: string,
  logPath: string,
  stopping?: AbortSignal,
): Promise<PostgresProcess> {
  const size = await stat(logPath).then(
    (entry) => entry.size,
    () => 0,
  );
  if (size > LOG_BYTES_MAX) await rm(logPath);
  // A file, not a pipe: the server must be able to log when we are dead.
  const logFile = await open(logPath, "a", 0o600);
  // Before there is a server: a process that dies at any moment after that must not leave it running for ever.
  const release = watchOver(install, dir);
  // Detached: Ctrl-C goes to the foreground process group, and the server must outlive our own drain.
  const child = spawn(install.postgres, ["-D", clusterPath(dir, install.user)], {
    ...install.user,
    cwd: dir,
    detached: true,
    env: serverEnvironment(),
    stdio: ["ignore", "ignore", logFile.fd],
  });
  child.unref();
  if (child.pid !== undefined) runProcessInBackground(child.pid);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  await logFile.close();
  let running = true;
  void exited.then(() => (running = false));
  while (running) {
    const lock = await readLockFile(dir);
    if (child.pid !== undefined && lock?.pid === child.pid && lock.status === "ready") {
      // On a busy machine it has children before it has stepped back itself.
      for (const id of await clusterProcesses(dir)) runProcessInBackground(id);
      return { pid: child.pid, exited, release };
    }
    if (stopping?.aborted === true && child.pid !== undefined) {
      await stopPostgres(child.pid, dir, 2 * HARD_STOP_MS);
      release();
      stopping.throwIfAborted();
    }
    await sleep(POLL_INTERVAL_MS);
  }
  release();
  const log = await readFile(logPath, "utf8").catch(() => "");
  const end = log.trimEnd().split("\n").slice(-3).join(" | ");
  const message = `PostgreSQL did not start: ${end}`;
  throw end.includes("shared memory block") ? new SharedMemoryHeldError(message) : new Error(message);
}

/** Takes over a postmaster whose supervisor died. */
export function adoptPostgres(install: PostgresInstall, dir: string, pid: number): PostgresProcess {
  return { pid, exited: waitForExit(pid, dir), release: watchOver(install, dir) };
}

/** At most, for each of the two ends that are not asked for politely. */
const HARD_STOP_MS = 2_000;

/**
 * Fast shutdown, past most of `withinMs` an immediate one (crash recovery at the next start), then SIGKILL for all of the
 * cluster's processes. A process that was stopped (SIGSTOP) is continued: it would take no order to end.
 */
export async function stopPostgres(pid: number, dir: string, withinMs: number): Promise<void> {
  // A process that has ended may have left its number to another.
  if (!(await servesCluster(pid, dir))) return;
  const hardMs = Math.min(HARD_STOP_MS, withinMs / 4);
  for (const [signal, waitMs] of [
    ["SIGINT", withinMs - 2 * hardMs],
    ["SIGQUIT", hardMs],
    ["SIGKILL", hardMs],
  ] as const) {
    if (!sendSignal(pid, signal)) return;
    const all = signal === "SIGKILL" ? signal : "SIGCONT";
    for (const id of await clusterProcesses(dir)) sendSignal(id, all);
    const deadlineMs = performance.now() + waitMs;
    while (performance.now() < deadlineMs) {
      if (!(await servesCluster(pid, dir))) return;
      await sleep(POLL_INTERVAL_MS);
    }
  }
}

async function waitForExit(pid: number, dir: string): Promise<void> {
  while (await servesCluster(pid, dir)) await sleep(200, undefined, { ref: false });
}

/**
 * A shell that waits for the end of a pipe only we hold. When we die by whatever signal, it gives a restart the time
 * to adopt the server in `dir` and then shuts it down, so nothing is left running for ever. An adopter proves itself by
 * writing its own watch file.
 */
function watchOver(install: PostgresInstall, dir: string): () => void {
  const script = [
    "echo $$ > payinference.watch",
    "read -r line && exit 0",
    `sleep ${ORPHAN_GRACE_SECONDS}`,
    '[ "$(cat payinference.watch)" = $$ ] && pid=$(head -n 1 postmaster.pid) || exit 0',
    // The lock file of a server that died may name another program by now; only Linux tells.
    '{ [ ! -d /proc/self ] || [ "/proc/$pid/cwd" -ef . ]; } && kill -INT "$pid"',
  ].join("\n");
  const shell = spawn("/bin/sh", ["-c", script], {
    ...install.user,
    cwd: dir,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.on("error", () => undefined);
  shell.stdin.on("error", () => undefined);
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  return () => shell.stdin.end("released\n");
}
