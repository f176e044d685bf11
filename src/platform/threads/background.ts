import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/*
 * Gives work that can wait a lower priority, and only the last half of the cores. A lower priority alone is not enough,
 * because the kernel lets a running thread finish its time slice. A decision thread that wakes on the same core would
 * wait up to 4 ms, even if another core is idle. Both measures are only optimisations. They need Linux, and the second
 * one also needs taskset (util-linux). Without these they do nothing.
 */

/**
 * Lowers the priority of the calling thread. On Linux each thread has its own nice value and cores. Without the right
 * to raise priorities, a thread cannot return to a lower nice value.
 */
export function runThreadInBackground(nice: number = TUNING.backgroundNice): void {
  try {
    stepBack(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), nice);
  } catch {
    // The system has no /proc.
  }
}

/**
 * Lets the calling thread run only while its cores are idle (SCHED_IDLE, sched(7)), among the background cores. Any
 * other thread takes the core from it at once. Use it for work that has hours. It needs chrt (util-linux) too.
 */
export function runThreadInIdleTime(): void {
  runThreadInBackground();
  try {
    const id = readlinkSync("/proc/thread-self").split("/").at(-1) ?? "";
    spawnSync("chrt", ["--idle", "--pid", "0", id], { stdio: "ignore" });
  } catch {
    // The system has no /proc.
  }
}

/**
 * Lowers the priority of V8's and libuv's helper threads. V8's helpers compile code, and occupied a core for 3 to 5 ms
 * at a time. Call it before the process starts threads of its own, because a new thread inherits the nice value and
 * cores of its creator.
 */
export function runHelpersInBackground(): void {
  try {
    const own = readlinkSync("/proc/thread-self").split("/").at(-1);
    const cores = allowedCores(readFileSync("/proc/self/status", "utf8"));
    for (const id of readdirSync("/proc/self/task")) {
      if (id !== own) setPriority(Number(id), TUNING.backgroundNice);
    }
    // One call restricts all threads, and a second one frees this thread. Calling taskset for each thread would add
    // some milliseconds to the start.
    pin(["--all-tasks"], process.pid, backgroundCores(cores));
    pin([], Number(own), cores);
  } catch {
    // The system has no /proc, a helper thread has just ended, or this process may not set the priority.
  }
}

/**
 * Lowers the priority of a process, and so of all processes that it starts later. Call it for each existing child too.
 */
export function runProcessInBackground(pid: number): void {
  stepBack(pid, TUNING.backgroundNice);
}

/** Lowers the priority of a process or thread with this id, and moves it to the background cores. */
function stepBack(id: number, nice: number): void {
  try {
    setPriority(id, nice);
    const cores = backgroundCores(allowedCores(readFileSync("/proc/self/status", "utf8")));
    const current = allowedCores(readFileSync(`/proc/${id}/status`, "utf8"));
    if (current.join() !== cores.join()) pin([], id, cores);
  } catch {
    // The process or thread has ended, the system has no /proc, or this process may not set the priority.
  }
}

function pin(options: readonly string[], id: number, cores: readonly number[]): void {
  spawnSync("taskset", [...options, "--pid", "--cpu-list", cores.join(","), String(id)], { stdio: "ignore" });
}

/** Reads the numbers of the allowed cores from the text of /proc/<pid>/status. */
export function allowedCores(processStatus: string): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(processStatus)?.[1] ?? "0";
  return list.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}

/** The last half of the allowed cores, or the only core. */
export function backgroundCores(allowed: readonly number[]): readonly number[] {
  return allowed.length < 2 ? allowed : allowed.slice(Math.ceil(allowed.length / 2));
}
