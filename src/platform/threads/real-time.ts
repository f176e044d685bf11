import { spawn, spawnSync } from "node:child_process";
import { readlinkSync } from "node:fs";

const REAL_TIME = ["--reset-on-fork", "--rr", "--pid", "1"];
/** Who may not do everything may not give up the flag. */
const ORDINARY = ["--reset-on-fork", "--other", "--pid", "0"];

/**
 * The thread that calls takes a core as soon as it has something to do (SCHED_RR, sched(7)), and those that it starts do
 * not. For one whose work comes in pieces of a millisecond and is waited for: the kernel leaves a running thread its
 * slice whoever wakes, which is up to 4 ms behind PostgreSQL or the writer. An optimisation, not a promise: where there
 * is no Linux, no chrt (util-linux) or no right to it (root, or a limit `rtprio` of 1), nothing is done. The kernel keeps a
 * twentieth of each core from such threads, so that one that hangs does not take the machine with it. Answers whether the
 * thread has it.
 */
export function runThreadInRealTime(): boolean {
  const id = ownThreadId();
  return id !== null && spawnSync("chrt", [...REAL_TIME, id], { stdio: "ignore" }).status === 0;
}

/** For a thread that has had it: gives it up, or takes it again, within some milliseconds. */
export function scheduleThread(realTime: boolean): void {
  const id = ownThreadId();
  if (id === null) return;
  const chrt = spawn("chrt", [...(realTime ? REAL_TIME : ORDINARY), id], { stdio: "ignore" });
  chrt.on("error", () => undefined).unref();
}

/** The kernel's; null where there is no /proc. */
function ownThreadId(): string | null {
  try {
    return readlinkSync("/proc/thread-self").split("/").at(-1) ?? null;
  } catch {
    return null;
  }
}
