import { spawnSync } from "node:child_process";
import { readlinkSync } from "node:fs";

/**
 * The thread that calls takes a core as soon as it has something to do (SCHED_RR, sched(7)), and those that it starts do
 * not. For one whose work comes in pieces of a millisecond and is waited for: the kernel leaves a running thread its
 * slice whoever wakes, which is up to 4 ms behind PostgreSQL or the writer. An optimisation, not a promise: where there
 * is no Linux, no chrt (util-linux) or no right to it (root, or a limit `rtprio` of 1), nothing is done. The kernel keeps a
 * twentieth of each core from such threads, so that one that hangs does not take the machine with it.
 */
export function runThreadInRealTime(): void {
  try {
    const id = readlinkSync("/proc/thread-self").split("/").at(-1) as string;
    spawnSync("chrt", ["--reset-on-fork", "--rr", "--pid", "1", id], { stdio: "ignore" });
  } catch {
    // No /proc.
  }
}
