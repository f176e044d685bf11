import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/*
 * Work that can wait gives way to the threads that answer merchants. It gets a lower priority and only the last half of
 * the cores. A lower priority alone is not enough on few cores: the kernel lets a running thread finish its slice. A
 * thread of the decision path that wakes on the same core would wait for up to 4 ms, while another core may be idle.
 * All of this is an optimisation and no promise: without Linux and taskset (util-linux), nothing happens.
 */

/** Lowers the priority of the calling thread. Linux gives each thread its own nice value and cores. */
export function runThreadInBackground(): void {
  try {
    stepBack(Number(readlinkSync("/proc/thread-self").split("/").at(-1)));
  } catch {
    // The system has no /proc.
  }
}

/**
 * Lowers the priority of the helper threads that V8 and libuv run beside the calling thread. V8's helpers compile, and
 * used a core for 3 to 5 ms at a time. Call it before the process starts threads of its own, because a new thread
 * inherits nice value and cores from its creator.
 */
export function runHelpersInBackground(): void {
  try {
    const own = readlinkSync("/proc/thread-self").split("/").at(-1);
    const cores = allowedCores(readFileSync("/proc/self/status", "utf8"));
    for (const id of readdirSync("/proc/self/task")) {
      if (id !== own) setPriority(Number(id), TUNING.backgroundNice);
    }
    // Two calls pin all threads and then free this one. A call for each thread would add some milliseconds to the
    // start.
    pin(["--all-tasks"], process.pid, backgroundCores(cores));
    pin([], Number(own), cores);
  } catch {
    // The system does not have it, or we have no right to it.
  }
}

/**
 * Steps back a process that has just started, and all processes that it starts from now on. A child that it started
 * before needs its own call.
 */
export function runProcessInBackground(pid: number): void {
  stepBack(pid);
}

/** `id` names a process or a thread. */
function stepBack(id: number): void {
  try {
    setPriority(id, TUNING.backgroundNice);
    const cores = backgroundCores(allowedCores(readFileSync("/proc/self/status", "utf8")));
    const current = allowedCores(readFileSync(`/proc/${id}/status`, "utf8"));
    if (current.join() !== cores.join()) pin([], id, cores);
  } catch {
    // The system does not have it, or we have no right to it.
  }
}

function pin(options: readonly string[], id: number, cores: readonly number[]): void {
  spawnSync("taskset", [...options, "--pid", "--cpu-list", cores.join(","), String(id)], { stdio: "ignore" });
}

/** The numbers of the allowed cores, from the text of /proc/<pid>/status. */
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
