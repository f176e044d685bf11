import { spawn, spawnSync } from "node:child_process";
import { readlinkSync } from "node:fs";

const REAL_TIME = ["--reset-on-fork", "--rr", "--pid", "1"];
/**
 * Turns real-time scheduling off. `--reset-on-fork` stays set, because only a privileged process may remove that flag.
 */
const ORDINARY = ["--reset-on-fork", "--other", "--pid", "0"];

/**
 * Gives the calling thread a core as soon as the thread has work (SCHED_RR, sched(7)). Threads that it starts do not
 * inherit this. Use it for a thread that works for about a millisecond while a client waits. Such a thread could
 * otherwise wait up to 4 ms, because the kernel lets a running thread finish its time slice. This is only an
 * optimisation. It needs Linux, chrt (util-linux) and permission (root, or a limit `rtprio` of 1), and otherwise does
 * nothing. The kernel keeps a twentieth of each core for other threads, so a hanging thread does not block the machine.
 * Returns whether the thread now runs in real time.
 */
export function runThreadInRealTime(): boolean {
  const id = ownThreadId();
  return id !== null && spawnSync("chrt", [...REAL_TIME, id], { stdio: "ignore" }).status === 0;
}

/**
 * Turns the calling thread's real-time scheduling off or on again, within some milliseconds. Call it only after
 * `runThreadInRealTime` has succeeded.
 */
export function scheduleThread(realTime: boolean): void {
  const id = ownThreadId();
  if (id === null) return;
  const chrt = spawn("chrt", [...(realTime ? REAL_TIME : ORDINARY), id], { stdio: "ignore" });
  chrt.on("error", () => undefined).unref();
}

/** Returns the kernel's id of the calling thread. Null without /proc. */
function ownThreadId(): string | null {
  try {
    return readlinkSync("/proc/thread-self").split("/").at(-1) ?? null;
  } catch {
    return null;
  }
}
