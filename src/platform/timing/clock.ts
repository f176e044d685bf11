import { uptime } from "node:os";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";
import { createSteadyClock, steadyClockMemory, type SteadyClockMemory } from "./steady-clock.js";

const SAMPLES = 32;
let offsetMs = Number.NEGATIVE_INFINITY;
for (let sample = 0; sample < SAMPLES; sample++) {
  offsetMs = Math.max(offsetMs, Number(process.hrtime.bigint()) / 1e6 - performance.now());
}

/**
 * Milliseconds of the machine's monotonic clock, alike on every thread of the process: `performance.now()` counts
 * from each thread's own start, so the difference to the shared clock is taken once per thread. A thread that is
 * preempted between the two readings gets a difference that is too small, by milliseconds on a busy machine; never
 * one too large. So the largest of several is taken.
 */
export function monotonicMs(): number {
  return offsetMs + performance.now();
}

/** Threads that are started later find the memory of the first one's clock under this name. */
const MEMORY = "payinference clock";
let memory = getEnvironmentData(MEMORY) as SteadyClockMemory | undefined;
if (memory === undefined) setEnvironmentData(MEMORY, (memory = steadyClockMemory()));

const steady = createSteadyClock(
  // Not `Date.now` itself: a test may put a clock of its own in its place.
  { wall: () => Date.now(), monotonic: monotonicMs, sinceBoot: () => uptime() * 1000 },
  memory,
);

/** Unix milliseconds, whole, that a host's clock which jumps does not take along; alike on every thread of the process. */
export const now = steady.now;

/** For one thread of the process, every second. */
export const lookAtClock = steady.look;

/** How far the host's clock is from `now()`, in milliseconds; positive where it is ahead. */
export const clockOffsetMs = steady.offsetMs;
