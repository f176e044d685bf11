/**
 * Milliseconds of the machine's monotonic clock, alike on every thread of the process: `performance.now()` counts
 * from each thread's own start, so the difference to the shared clock is taken once per thread. A thread that is
 * preempted between the two readings gets a difference that is too small, by milliseconds on a busy machine; never
 * one too large. So the largest of several is taken.
 */
const SAMPLES = 32;
let offsetMs = Number.NEGATIVE_INFINITY;
for (let sample = 0; sample < SAMPLES; sample++) {
  offsetMs = Math.max(offsetMs, Number(process.hrtime.bigint()) / 1e6 - performance.now());
}

export function monotonicMs(): number {
  return offsetMs + performance.now();
}
