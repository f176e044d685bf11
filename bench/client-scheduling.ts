import { spawnSync } from "node:child_process";

/**
 * Takes a client's right to interrupt the server it measures: SCHED_BATCH (sched(7)), under which a process that wakes
 * waits for a core instead of taking one from who is at work. A client on the server's own cores is otherwise woken by
 * the first reply of a batch and runs before the second is sent, a change of process for each reply and each request,
 * which no client on another machine causes. Measured on two cores, interleaved: row (c) 1.20 to 1.30, (b) 1.08 to
 * 1.12, the bare row 1.00 to 1.07 times what they reach beside a client that interrupts (BENCHMARKS.md).
 *
 * Answers whether it did: not where there is no chrt (util-linux) or no such policy, as on systems other than Linux.
 */
export function forbidInterrupting(pid: number): boolean {
  return (
    spawnSync("chrt", ["--all-tasks", "--batch", "--pid", "0", String(pid)], { stdio: "ignore" }).status === 0
  );
}
