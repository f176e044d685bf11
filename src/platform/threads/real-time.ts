import { spawn, spawnSync } from "node:child_process";
import { readlinkSync } from "node:fs";

const REAL_TIME = ["--reset-on-fork", "--rr", "--pid", "1"];
/** A process without the right to change it keeps the flag `--reset-on-fork`. */
const ORDINARY = ["--reset-on-fork", "--other", "--pid", "0"];

/**
 * Gives the calling thread a core as soon as it has work (SCHED_RR, sched(7)). Threads that it starts do not inherit
 * this. It suits a thread with pieces of work of a millisecond for which a client waits. The kernel lets a running
 * thread finish its slice, so such a thread could otherwise wait up to 4 ms for PostgreSQL or the writer. It is an
 * optimisation and no promise. It needs Linux, chrt (util-linux) and the right (root, or a limit `rtprio` of 1).
 * Without these, nothing happens. The kernel keeps a twentieth of each core from such threads, so a hanging thread does
 * not block the machine. Returns whether the thread runs in real time.
 */
export function runThreadInRealTime(): boolean {
  const id = ownThreadId();
  return id !== null && spawnSync("chrt", [...REAL_TIME, id], { stdio: "ignore" }).status === 0;
}

/** Ends real-time scheduling, or requests it again, within some milliseconds. It is for a thread that has had it. */
export function scheduleThread(realTime: boolean): void {
  const id = ownThreadId();
  if (id === null) return;
  const chrt = spawn("chrt", [...(realTime ? REAL_TIME : ORDINARY), id], { stdio: "ignore" });
  chrt.on("error", () => undefined).unref();
}

/** The kernel's id of the calling thread. Null without /proc. */
function ownThreadId(): string | null {
  try {
    return readlinkSync("/proc/thread-self").split("/").at(-1) ?? null;
  } catch {
    return null;
  }
}
