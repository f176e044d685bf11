import { spawnSync } from "node:child_process";

/**
 * How a client shares the cores of the server it measures (sched(7)); on a machine of its own it would share none.
 *
 * - `yielding`, for a closed loop: SCHED_BATCH, under which a process that wakes waits for a core instead of taking one
 *   from who is at work. It is otherwise woken by the first reply of a batch and runs before the second is sent, a
 *   change of process for each reply and each request, which no client elsewhere causes. Measured on two cores,
 *   interleaved: row (c) 1.20 to 1.30, (b) 1.08 to 1.12, the bare row 1.00 to 1.07 times what they reach beside a client
 *   that interrupts (BENCHMARKS.md).
 * - `punctual`, for an open loop: SCHED_RR for the thread that sends, under which it runs when a request is due or a
 *   reply is there. It is otherwise woken on the core where the writer or PostgreSQL is at work and waits for the
 *   scheduler's next tick, 4 ms, which counts as latency although the server was done, or had not been asked yet (167
 *   waits of more than 1 ms in 4 s at half of the highest rate, 401 ms in sum). Its helpers go on yielding: with the same
 *   priority, V8's held a core for 5 to 10 ms at a time (p99 of (b) 7.2 and 6.9 ms by turns, its worst round 25 and 9).
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
