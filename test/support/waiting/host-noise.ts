import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { after } from "node:test";

/** What else ran on the host meanwhile: on a machine shared by others the answer to many a missed time limit. */
export interface HostNoise {
  /** The longest this process had to wait beyond what a timer asked for. */
  stallMs: number;
  /** Threads that ran or wanted to, for each core, on average: those of the test and the service included. */
  runnablePerCore: number;
}

export interface NoiseMeter {
  stop(): HostNoise;
}

const TICK_MS = 20;
const TICKS_A_SAMPLE = 5;
const STALL_MS_MAX = 200;
/** The service, its PostgreSQL and the load on it keep one or two busy. */
const RUNNABLE_PER_CORE_MAX = 4;

/** Time limits of a second or two then say nothing about the service. */
export const isStarved = ({ stallMs, runnablePerCore }: HostNoise): boolean =>
  stallMs > STALL_MS_MAX || runnablePerCore > RUNNABLE_PER_CORE_MAX;

export function describeNoise(noise: HostNoise): string {
  const judged = isStarved(noise) ? "; times are not judged" : "";
  return `host: ${noise.runnablePerCore.toFixed(1)} runnable threads a core, stalls of ${noise.stallMs.toFixed()} ms at most${judged}`;
}

const timers = new Set<NodeJS.Timeout>();
after(() => timers.forEach((timer) => clearInterval(timer)));

export function startNoiseMeter(): NoiseMeter {
  let lastMs = performance.now();
  let stallMs = 0;
  let ticks = 0;
  let runnable = 0;
  let samples = 0;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    stallMs = Math.max(stallMs, nowMs - lastMs - TICK_MS);
    lastMs = nowMs;
    if (ticks++ % TICKS_A_SAMPLE > 0) return;
    // Less this thread, which runs to look.
    runnable += runnableThreads() - 1;
    samples++;
  }, TICK_MS);
  timers.add(timer);
  return {
    stop() {
      clearInterval(timer);
      return { stallMs, runnablePerCore: runnable / Math.max(1, samples) / availableParallelism() };
    },
  };
}

/** proc(5), /proc/loadavg: the fourth field is runnable/all. */
function runnableThreads(): number {
  return Number(readFileSync("/proc/loadavg", "utf8").split(" ")[3]?.split("/")[0]);
}

/**
 * Milliseconds for which the main threads of these processes have wanted a core and had none, ever. The second field of
 * schedstat is in nanoseconds (Documentation/scheduler/sched-stats.rst); a kernel without it tells nothing.
 */
function queuedMsOf(pids: readonly number[]): number {
  let queued = 0;
  for (const pid of pids) {
    try {
      queued += Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
    } catch {
      // Then the whole time is judged.
    }
  }
  return queued;
}

export interface Timed<T> {
  answer: T;
  tookMs: number;
  /** Of it, how long this process and the service's stood in line for a core: no limit of the service's own ends that. */
  queuedMs: number;
}

/** `pid`: the service's. */
export async function timed<T>(ask: () => Promise<T>, pid?: number): Promise<Timed<T>> {
  const pids = pid === undefined ? [process.pid] : [process.pid, pid];
  const queuedBeforeMs = queuedMsOf(pids);
  const askedMs = performance.now();
  const answer = await ask();
  const tookMs = performance.now() - askedMs;
  return { answer, tookMs, queuedMs: queuedMsOf(pids) - queuedBeforeMs };
}

/**
 * What `ask` resolves to; fails where that takes longer. Time in line for a core does not count; see `timed`. Without
 * `pid` nobody knows how long the service stood in line, and nothing is judged while the host was starved.
 */
export async function inTime<T>(
  withinMs: number,
  what: string,
  ask: () => Promise<T>,
  pid?: number,
): Promise<T> {
  const meter = startNoiseMeter();
  const { answer, tookMs, queuedMs } = await timed(ask, pid);
  const noise = meter.stop();
  assert.ok(
    tookMs - queuedMs < withinMs || (pid === undefined && isStarved(noise)),
    `${what}: ${tookMs} ms, of them ${queuedMs} in line for a core; ${describeNoise(noise)}`,
  );
  return answer;
}
