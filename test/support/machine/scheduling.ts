import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { allowedCores, backgroundCores } from "../../../src/platform/threads/background.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";

/** The reason why background scheduling cannot be observed here, or false. */
export const NO_SCHEDULING =
  (!existsSync("/proc/self/task") && "no /proc here") ||
  (spawnSync("taskset", ["--version"]).status !== 0 && "no taskset here");

/** Why no thread here gets real-time scheduling, or false. */
export const NO_REAL_TIME =
  (!existsSync("/proc/self/task") && "no /proc here") ||
  (spawnSync("chrt", ["--rr", "1", "true"]).status !== 0 &&
    "no chrt here, or no right to real-time scheduling");

export interface Scheduling {
  nice: number;
  cores: readonly number[];
}

/** Reads the scheduling of a process or a thread from its directory in /proc. */
export function schedulingOf(directory: string): Scheduling {
  return { nice: statField(directory, 19), cores: allowedCores(readFileSync(`${directory}/status`, "utf8")) };
}

/** The ids of this process's threads that have real-time scheduling (SCHED_RR, 2 in sched(7)). */
export function realTimeThreads(): string[] {
  return readdirSync("/proc/self/task").filter((id) => statField(`/proc/self/task/${id}`, 41) === 2);
}

/** A field by its number in proc_pid_stat(5). The name before the third field is in parentheses. */
function statField(directory: string, number: number): number {
  const stat = readFileSync(`${directory}/stat`, "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[number - 3]);
}

/** The scheduling with which this process starts background work. */
export function background(): Scheduling {
  const { cores } = schedulingOf("/proc/self");
  return { nice: TUNING.backgroundNice, cores: backgroundCores(cores) };
}
