/**
 * Milliseconds of the machine's monotonic clock, alike on every thread of the process: `performance.now()` counts
 * from each thread's own start, so the difference to the shared clock is taken once per thread.
 */
const OFFSET_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

export function monotonicMs(): number {
  return OFFSET_MS + performance.now();
}
