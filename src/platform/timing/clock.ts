import { uptime } from "node:os";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";
import { createSteadyClock, steadyClockMemory, type SteadyClockMemory } from "./steady-clock.js";

const SAMPLES = 32;
let offsetMs = Number.NEGATIVE_INFINITY;
for (let sample = 0; sample < SAMPLES; sample++) {
  offsetMs = Math.max(offsetMs, Number(process.hrtime.bigint()) / 1e6 - performance.now());
}

/**
 * A monotonic clock in milliseconds, the same on every thread of the process. `performance.now()` counts from each
 * thread's start, so each thread measures its offset to the shared clock. If a thread is preempted between the readings
 * of the two clocks, the measured offset is too small, by milliseconds on a busy machine. It is never too large, so the
 * largest of several measurements is used.
 */
export function monotonicMs(): number {
  return offsetMs + performance.now();
}

/**
 * The environment data contains the memory of the steady clock under this name, so that later threads share the first
 * thread's memory.
 */
const MEMORY = "payinference clock";
let memory = getEnvironmentData(MEMORY) as SteadyClockMemory | undefined;
if (memory === undefined) setEnvironmentData(MEMORY, (memory = steadyClockMemory()));

const steady = createSteadyClock(
  // `Date.now` is looked up at each call, because a test may replace it.
  { wall: () => Date.now(), monotonic: monotonicMs, sinceBoot: () => uptime() * 1000 },
  memory,
);

/**
 * Whole Unix milliseconds, the same on every thread of the process. This time follows a jump of the host's clock only
 * when that clock has then been steady for a minute.
 */
export const now = steady.now;

/** Follows the host's clock. Call it every second in one thread of the process. */
export const lookAtClock = steady.look;

/** Milliseconds from `now()` to the host's clock, positive if the host's clock is ahead. */
export const clockOffsetMs = steady.offsetMs;
