import { spawn } from "node:child_process";
import { open, readFile, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { clusterPath, readLockFile, serverEnvironment } from "./cluster.js";
import { clusterProcesses, sendSignal, servesCluster } from "./cluster-processes.js";
import type { PostgresInstall } from "./install.js";
import { runProcessInBackground } from "../../threads/background.js";

const POLL_INTERVAL_MS = 10;
const LOG_BYTES_MAX = 16 * 1024 ** 2;
/**
 * How long a server outlives its supervisor. A service that restarts within this time adopts the server with its
 * caches.
 */
const ORPHAN_GRACE_SECONDS = 10;

/** The children of a killed postmaster still hold its shared memory. They end when they notice its death. */
export class SharedMemoryHeldError extends Error {}

/** One running postmaster, which this process started or adopted from a dead supervisor. */
export interface PostgresProcess {
  pid: number;
  /** Resolves when the postmaster is gone. */
  exited: Promise<void>;
  /** Ends the watch that would stop the server after this process's death. The server continues. */
  release(): void;
}

/**
 * Starts the server in `dir`, and resolves when it accepts connections. If the server exits first, it rejects with the
 * end of the server's log, or with a SharedMemoryHeldError if a later attempt may succeed. A recovery may take minutes.
 * If `stopping` is aborted first, it ends the server and rejects with an AbortError.
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
  // The log is a file and not a pipe, so that the server can log after this process has died.
  const logFile = await open(logPath, "a", 0o600);
  // The watch begins before the server starts, so that the server never outlives this process for long.
  const release = watchOver(install, dir);
  // Ctrl-C reaches the whole foreground process group. A detached server survives it until this process has drained.
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
      // On a busy machine, the server may already have children when its own priority is lowered.
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

/** Takes over a postmaster whose supervisor has died. */
export function adoptPostgres(install: PostgresInstall, dir: string, pid: number): PostgresProcess {
  return { pid, exited: waitForExit(pid, dir), release: watchOver(install, dir) };
}

/** The longest wait after SIGQUIT, and after SIGKILL. */
const HARD_STOP_MS = 2_000;

/**
 * Shuts the server down in mode "fast". When most of `withinMs` has passed, it uses mode "immediate", which needs crash
 * recovery at the next start. At last it kills all processes of the cluster. Processes that were stopped (SIGSTOP) are
 * continued, because only SIGKILL ends a stopped process.
 */
export async function stopPostgres(pid: number, dir: string, withinMs: number): Promise<void> {
  // If the process has ended, its process id may belong to another program.
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
 * Starts a shell that waits for the end of a pipe. Only this process holds the pipe's other end, so the pipe ends when
 * this process dies by any signal. The shell then waits ORPHAN_GRACE_SECONDS for a restarted service to adopt the
 * server in `dir`. Otherwise it shuts the server down. An adopter starts a shell of its own, whose process id in the
 * watch file makes the older shell do nothing.
 */
function watchOver(install: PostgresInstall, dir: string): () => void {
  const script = [
    "echo $$ > payinference.watch",
    "read -r line && exit 0",
    `sleep ${ORPHAN_GRACE_SECONDS}`,
    '[ "$(cat payinference.watch)" = $$ ] && pid=$(head -n 1 postmaster.pid) || exit 0',
    // After the server's death its process id may belong to another program. Only Linux shows that.
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
