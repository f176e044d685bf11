import { spawnSync } from "node:child_process";

/**
 * The way in which a client shares the cores with the server that it measures (see sched(7)). A client on its own
 * machine shares none.
 *
 * - `yielding`, for a closed loop: SCHED_BATCH. A process that wakes then waits for a core and interrupts no other. By
 *   default the first reply of a batch wakes the client before the server sends the second. Each reply and each request
 *   then costs a change of process, which a client on another machine does not cause. Measured by turns on two cores:
 *   row (c) reaches 1.20 to 1.30, (b) 1.08 to 1.12 and the bare row 1.00 to 1.07 times its rate beside a client that
 *   interrupts (BENCHMARKS.md).
 * - `punctual`, for an open loop: SCHED_RR for the sending thread, which then runs as soon as a request is due or a
 *   reply is there. By default it may wake on the core of the writer or PostgreSQL, and wait 4 ms for the scheduler's
 *   next tick. That counts as latency although the server was done, or had not been asked yet (167 waits of more than
 *   1 ms in 4 s at half of the highest rate, 401 ms in sum). The helper threads stay `yielding`. With the same priority,
 *   V8's helpers held a core for 5 to 10 ms at a time (p99 of (b) 7.2 and 6.9 ms by turns, its worst round 25 and 9).
 */
export type ClientScheduling = keyof typeof CHRT_OPTIONS;

const ALL_YIELD = ["--all-tasks", "--batch", "--pid", "0"];
const CHRT_OPTIONS = {
  yielding: [ALL_YIELD],
  punctual: [ALL_YIELD, ["--rr", "--pid", "1"]],
} as const satisfies Record<string, readonly (readonly string[])[]>;

/**
 * Sets the scheduling and returns whether that worked. It never works without chrt (util-linux) or without the policy,
 * as on systems other than Linux. `punctual` also needs the right to real-time scheduling, which root has.
 */
export function scheduleClient(pid: number, scheduling: ClientScheduling): boolean {
  return CHRT_OPTIONS[scheduling].every(
    (options) => spawnSync("chrt", [...options, String(pid)], { stdio: "ignore" }).status === 0,
  );
}
