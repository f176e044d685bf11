/**
 * The wall clock counts as having jumped if it moves by more than this against the monotonic clock. A correct clock
 * never moves this far in the second between two checks. A smaller error does not matter for dates.
 */
export const JUMP_MS = 5_000;
/** `now()` follows a jump once the wall clock has been steady for this long. */
export const STANDS_AFTER_MS = 60_000;

/** The three clocks of a machine, in milliseconds. */
export interface Clocks {
  /** Unix milliseconds as the host has set them. */
  wall(): number;
  /** Never goes back, is the same on all threads, and stops while the machine is suspended. */
  monotonic(): number;
  /** Never goes back, and continues while the machine is suspended. Its resolution is lower. */
  sinceBoot(): number;
}

/** Memory made by `steadyClockMemory`. All threads of a process share it, so they all have the same time. */
export type SteadyClockMemory = Float64Array;

/** The lead of the wall clock over the monotonic clock, now and before the last change. */
const FOLLOWED = 0;
const BEFORE = 1;
/** The lead of the followed wall clock over the time since boot. */
const SINCE_BOOT = 2;
const WORDS = 3;

export const steadyClockMemory = (): SteadyClockMemory =>
  new Float64Array(new SharedArrayBuffer(WORDS * Float64Array.BYTES_PER_ELEMENT)).fill(Number.NaN);

export type ClockChange =
  /** The wall clock has jumped by this many milliseconds, and `now()` ignores the jump. */
  | { kind: "jumped"; byMs: number }
  /** The wall clock has been steady since its jump. `now()` has followed it, by this many milliseconds. */
  | { kind: "followed"; byMs: number }
  /** The wall clock is back where it was before. */
  | { kind: "returned" };

export interface SteadyClock {
  /**
   * Whole Unix milliseconds of the wall clock. After a jump they continue with the monotonic clock. The wall clock is
   * followed at once if the machine was suspended, or if the clock returns to its earlier time.
   */
  now(): number;
  /**
   * One thread calls it every second. It follows a clock that drifts slowly, or that has jumped and been steady
   * since. Returns null if nothing changes.
   */
  look(): ClockChange | null;
  /** Milliseconds from `now()` to the wall clock. Positive if the wall clock is ahead. */
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

  /** The lead of the wall clock over the monotonic clock at the last comparison with the time since boot. */
  let comparedMs = Number.NaN;
  const wasSuspended = (wallMs: number, aheadMs: number): boolean => {
    // The time since boot is compared only when the lead changes, because its system call takes longer than all the
    // rest. A jump that was not a suspension does not become one later.
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

  /** The lead that the wall clock has jumped to, and the time since which it has this lead. */
  let candidate: { aheadMs: number; sinceMs: number } | null = null;
  return {
    now,
    look() {
      // Follows the wall clock after a suspension, if no other thread has done so yet.
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
      // A clock that drifts slowly counts as steady.
      candidate.aheadMs = aheadMs;
      if (monotonicMs - candidate.sinceMs < STANDS_AFTER_MS) return null;
      candidate = null;
      memory[BEFORE] = followedMs;
      follow(wallMs, monotonicMs);
      return { kind: "followed", byMs: aheadMs - followedMs };
    },
    offsetMs() {
      // The time is read once, because two readings could differ by a millisecond.
      const wallMs = clocks.wall();
      return wallMs - timeAt(wallMs);
    },
  };
}

/** Returns false if one of the two is unknown (NaN). */
const isNear = (leftMs: number, rightMs: number): boolean => Math.abs(leftMs - rightMs) <= JUMP_MS;
