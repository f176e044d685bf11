import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/*
 * Work that can wait steps back behind the threads that answer merchants: at a lower priority, and on the last half of the
 * cores only. Priority alone does not do it where cores are few: the kernel leaves a running thread its slice whoever
 * wakes, and a thread of the decision path that was woken on its core waits for up to 4 ms, while the other core may
 * be idle. All of this is an optimisation, not a promise: where there is no Linux or no taskset (util-linux), nothing
 * is done.
 */

/** For the thread that calls. Linux gives each its own nice value and cores. */
export function runThreadInBackground(): void {
  try {
    stepBack(Number(readlinkSync("/proc/thread-self").split("/").at(-1)));
  } catch {
    // No /proc.
  }
}

/**
 * For what V8 and libuv run beside the thread that calls: to be called before the process has threads of its own, which
 * take after the one that makes them. V8's helpers compile, and held a core for 3 to 5 ms at a time.
 */
export function runHelpersInBackground(): void {
  try {
    const own = readlinkSync("/proc/thread-self").split("/").at(-1);
    const cores = allowedCores(readFileSync("/proc/self/status", "utf8"));
    for (const id of readdirSync("/proc/self/task")) {
      if (id !== own) setPriority(Number(id), TUNING.backgroundNice);
    }
    // All of them and then this one back: a call of taskset for each would cost the start some milliseconds more.
    pin(["--all-tasks"], process.pid, backgroundCores(cores));
    pin([], Number(own), cores);
  } catch {
    // Not on this system, or not with our rights.
  }
}

/** For a process that has just been started, and those that it will start: who was faster needs a call of its own. */
export function runProcessInBackground(pid: number): void {
  stepBack(pid);
}

/** `id`: of a process or a thread. */
function stepBack(id: number): void {
  try {
    setPriority(id, TUNING.backgroundNice);
    const cores = backgroundCores(allowedCores(readFileSync("/proc/self/status", "utf8")));
    const current = allowedCores(readFileSync(`/proc/${id}/status`, "utf8"));
    if (current.join() !== cores.join()) pin([], id, cores);
  } catch {
    // Not on this system, or not with our rights.
  }
}

function pin(options: readonly string[], id: number, cores: readonly number[]): void {
  spawnSync("taskset", [...options, "--pid", "--cpu-list", cores.join(","), String(id)], { stdio: "ignore" });
}

/** Their numbers, from the text of /proc/<pid>/status. */
export function allowedCores(processStatus: string): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(processStatus)?.[1] ?? "0";
  return list.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}

/** The last half of them, or the only one. */
export function backgroundCores(allowed: readonly number[]): readonly number[] {
  return allowed.length < 2 ? allowed : allowed.slice(Math.ceil(allowed.length / 2));
}
