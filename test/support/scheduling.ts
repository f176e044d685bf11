import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { allowedCores, backgroundCores } from "../../src/shared/background.js";
import { LIMITS } from "../../src/shared/limits.js";

/** Why what runs in the background cannot be told here, or false. */
export const NO_SCHEDULING =
  (!existsSync("/proc/self/task") && "no /proc here") ||
  (spawnSync("taskset", ["--version"]).status !== 0 && "no taskset here");

export interface Scheduling {
  nice: number;
  cores: readonly number[];
}

/** Of a process or a thread, by its directory in /proc. */
export function schedulingOf(directory: string): Scheduling {
  const stat = readFileSync(`${directory}/stat`, "latin1");
  return {
    // proc_pid_stat(5): the 19th field; the name before it, the second, is in parentheses.
    nice: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]),
    cores: allowedCores(readFileSync(`${directory}/status`, "utf8")),
  };
}

/** As this process starts what can wait. */
export function background(): Scheduling {
  const { cores } = schedulingOf("/proc/self");
  return { nice: LIMITS.backgroundNice, cores: backgroundCores(cores) };
}
