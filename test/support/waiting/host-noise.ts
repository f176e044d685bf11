import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { after } from "node:test";

/** The load on the host while a meter runs. On a shared machine it explains many missed time limits. */
export interface HostNoise {
  /** The longest delay of a timer in this process. */
  stallMs: number;
  /** The average number of running or runnable threads per core, including the test and the service. */
  runnablePerCore: number;
}

export interface NoiseMeter {
  stop(): HostNoise;
}

const TICK_MS = 20;
const TICKS_A_SAMPLE = 5;
const STALL_MS_MAX = 200;
/** The service, its PostgreSQL and its load keep one or two threads busy. */
const RUNNABLE_PER_CORE_MAX = 4;

/** True if time limits of a second or two say nothing about the service. */
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
    // This thread is subtracted, because it runs while it counts.
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

/** See proc(5), /proc/loadavg: the fourth field is runnable/all. */
function runnableThreads(): number {
  return Number(readFileSync("/proc/loadavg", "utf8").split(" ")[3]?.split("/")[0]);
}

/**
 * The total milliseconds for which the main threads of these processes waited for a core. The second field of schedstat
 * is in nanoseconds (Documentation/scheduler/sched-stats.rst). A kernel without the file gives nothing.
 */
function queuedMsOf(pids: readonly number[]): number {
  let queued = 0;
  for (const pid of pids) {
    try {
      queued += Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
    } catch {
      // Without this file the whole time counts.
    }
  }
  return queued;
}

export interface Timed<T> {
  answer: T;
  tookMs: number;
  /**
   * The part of the time in which this process and the service waited for a core. No limit of the service can shorten
   * that.
   */
  queuedMs: number;
}

/** `pid` is the service's process. */
export async function timed<T>(ask: () => Promise<T>, pid?: number): Promise<Timed<T>> {
  const pids = pid === undefined ? [process.pid] : [process.pid, pid];
  const queuedBeforeMs = queuedMsOf(pids);
  const askedMs = performance.now();
  const answer = await ask();
  const tookMs = performance.now() - askedMs;
  return { answer, tookMs, queuedMs: queuedMsOf(pids) - queuedBeforeMs };
}

/**
 * Resolves to the result of `ask`. Fails when it takes longer than `withinMs`. Time spent waiting for a core does not
 * count (see `timed`). Without `pid` the service's waiting is unknown, so nothing is judged while the host is starved.
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
