import { uptime } from "node:os";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";

/**
 * If the wall clock moves by more than this against the monotonic clock, it counts as having jumped. A correct clock
 * never moves this far in the second between two checks. A smaller error does not matter for dates.
 */
export const JUMP_MS = 5_000;
/** `now()` follows a jump when the wall clock has then been steady for this long. */
export const STANDS_AFTER_MS = 60_000;

/** The three clocks of a machine, in milliseconds. */
export interface Clocks {
  /** Unix milliseconds of the host's clock. */
  wall(): number;
  /** Never goes back, is the same on all threads, and stops while the machine is suspended. */
  monotonic(): number;
  /** Never goes back, and continues while the machine is suspended. Its resolution is lower. */
  sinceBoot(): number;
}

/** Memory made by `steadyClockMemory`. All threads of a process share it, so they all have the same time. */
type SteadyClockMemory = Float64Array;

/**
 * The first two words of the memory: the followed lead of the wall clock over the monotonic clock, and the lead before
 * it.
 */
const FOLLOWED = 0;
const BEFORE = 1;
/** The wall clock's lead over the time since boot, when it was last followed. */
const SINCE_BOOT = 2;
const MEMORY_WORDS = 3;

export const steadyClockMemory = (): SteadyClockMemory =>
  new Float64Array(new SharedArrayBuffer(MEMORY_WORDS * Float64Array.BYTES_PER_ELEMENT)).fill(Number.NaN);

export type ClockChange =
  /** The wall clock has jumped by this much. `now()` ignores the jump. */
  | { kind: "jumped"; byMs: number }
  /** The wall clock was steady after its jump, so `now()` has jumped by this much to follow it. */
  | { kind: "followed"; byMs: number }
  /** The wall clock has returned to its time before the jump. */
  | { kind: "returned" };

export interface SteadyClock {
  /**
   * Whole Unix milliseconds of the wall clock. After a jump of the wall clock, they continue with the monotonic clock.
   * `now()` follows the wall clock at once if the machine was suspended, or if the wall clock returns to its earlier
   * time.
   */
  now(): number;
  /**
   * Follows a wall clock that drifts slowly, or that has been steady since its jump. Call it every second in one
   * thread. Returns null if nothing changes.
   */
  look(): ClockChange | null;
  /** Milliseconds from `now()` to the wall clock, positive if the wall clock is ahead. */
  offsetMs(): number;
}

/**
 * | State \ event | moves by 5 s at most | machine was suspended | jumps | is back where it was | stands for 60 s |
 * |---|---|---|---|---|---|
 * | followed | followed | followed | held, `jumped` | followed, `returned` | – |
 * | held | held | held anew, `jumped` | held anew, `jumped` | followed, `returned` | followed, `followed` |
 *
 * While the wall clock is held, `now()` continues with the monotonic clock.
 */
export function createSteadyClock(clocks: Clocks, memory: SteadyClockMemory): SteadyClock {
  const follow = (wallMs: number, monotonicMs: number): void => {
    memory[FOLLOWED] = wallMs - monotonicMs;
    memory[SINCE_BOOT] = wallMs - clocks.sinceBoot();
  };
  if (Number.isNaN(memory[FOLLOWED])) follow(clocks.wall(), clocks.monotonic());

  /** The wall clock's lead over the monotonic clock when it was last compared with the time since boot. */
  let comparedMs = Number.NaN;
  const wasSuspended = (wallMs: number, aheadMs: number): boolean => {
    // Compares with the time since boot only if the lead has changed, because its system call takes longer than
    // everything else here. A jump that was not a suspension does not become one later.
    if (isNear(aheadMs, comparedMs)) return false;
    comparedMs = aheadMs;
    return isNear(wallMs - clocks.sinceBoot(), memory[SINCE_BOOT] as number);
  };

  const timeAt = (wallMs: number): number => {
    const monotonicMs = clocks.monotonic();
    const aheadMs = wallMs - monotonicMs;
    const followedMs = memory[FOLLOWED] as number;
    if (isNear(aheadMs, followedMs) || isNear(aheadMs, memory[BEFORE] as number)) return wallMs;
    if (!wasSuspended(wallMs, aheadMs)) return Math.round(monotonicMs + followedMs);
    follow(wallMs, monotonicMs);
    return wallMs;
  };
  const now = (): number => timeAt(clocks.wall());

  /** The lead to which the wall clock has jumped, and the time since which it has had that lead. */
  let candidate: { aheadMs: number; sinceMs: number } | null = null;
  return {
    now,
    look() {
      // If the machine was suspended, `now` follows the wall clock.
      now();
      const wallMs = clocks.wall();
      const monotonicMs = clocks.monotonic();
      const aheadMs = wallMs - monotonicMs;
      const followedMs = memory[FOLLOWED] as number;
      const isFollowed = isNear(aheadMs, followedMs);
      if (isFollowed || isNear(aheadMs, memory[BEFORE] as number)) {
        if (!isFollowed) memory[BEFORE] = followedMs;
        follow(wallMs, monotonicMs);
        const isNew = candidate !== null || !isFollowed;
        candidate = null;
        return isNew ? { kind: "returned" } : null;
      }
      if (candidate === null || !isNear(aheadMs, candidate.aheadMs)) {
        candidate = { aheadMs, sinceMs: monotonicMs };
        return { kind: "jumped", byMs: aheadMs - followedMs };
      }
      // The candidate follows a slow drift, so that a drifting clock counts as steady.
      candidate.aheadMs = aheadMs;
      if (monotonicMs - candidate.sinceMs < STANDS_AFTER_MS) return null;
      candidate = null;
      memory[BEFORE] = followedMs;
      follow(wallMs, monotonicMs);
      return { kind: "followed", byMs: aheadMs - followedMs };
    },
    offsetMs() {
      // Reads the wall clock one time, because two readings could differ by a millisecond.
      const wallMs = clocks.wall();
      return wallMs - timeAt(wallMs);
    },
  };
}

/** False if a value is unknown (NaN). */
const isNear = (leftMs: number, rightMs: number): boolean => Math.abs(leftMs - rightMs) <= JUMP_MS;

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
