/**
 * The wall clock has jumped if it moves by more than this against the monotonic clock. Nothing moves a sound clock so
 * far within the second between two looks. A smaller error dates nothing wrong.
 */
export const JUMP_MS = 5_000;
/** A clock that has jumped is followed once it has stood for this long. */
export const STANDS_AFTER_MS = 60_000;

/** The three clocks of a machine, in milliseconds. */
export interface Clocks {
  /** Unix milliseconds as the host has set them. */
  wall(): number;
  /** Never goes back, is the same on all threads, and stands while the machine is suspended. */
  monotonic(): number;
  /** Never goes back, and goes on while the machine is suspended. Its steps are coarser. */
  sinceBoot(): number;
}

/** Made by `steadyClockMemory`. All threads of a process share one, so they all have the same time. */
export type SteadyClockMemory = Float64Array;

/**
 * How far the wall clock is ahead of the monotonic clock: where it is followed now, and where it was followed before.
 */
const FOLLOWED = 0;
const BEFORE = 1;
/** How far the followed wall clock is ahead of the time since boot. */
const SINCE_BOOT = 2;
const WORDS = 3;

export const steadyClockMemory = (): SteadyClockMemory =>
  new Float64Array(new SharedArrayBuffer(WORDS * Float64Array.BYTES_PER_ELEMENT)).fill(Number.NaN);

export type ClockChange =
  /** The wall clock has jumped by so many milliseconds, and `now()` goes on without it. */
  | { kind: "jumped"; byMs: number }
  /** The wall clock has stood where it jumped to. `now()` has jumped to it, by so many milliseconds. */
  | { kind: "followed"; byMs: number }
  /** The wall clock is back where it was before. */
  | { kind: "returned" };

export interface SteadyClock {
  /**
   * Whole Unix milliseconds of the wall clock. After a jump they go on with the monotonic clock. The wall clock is
   * followed at once when the machine was suspended, or when it is back where it was before.
   */
  now(): number;
  /**
   * One thread calls it every second. It follows a clock that moves slowly, or has jumped and stands. Null: no news.
   */
  look(): ClockChange | null;
  /** Milliseconds from `now()` to the wall clock. They are positive if that clock is ahead. */
  offsetMs(): number;
}

/**
 * | State \ event | moves by 5 s at most | machine was suspended | jumps | is back where it was | stands for 60 s |
 * |---|---|---|---|---|---|
 * | followed | followed | followed | held, `jumped` | followed, `returned` | – |
 * | held | held | held anew, `jumped` | held anew, `jumped` | followed, `returned` | followed, `followed` |
 *
 * While the wall clock is held, `now()` goes on with the monotonic clock.
 */
export function createSteadyClock(clocks: Clocks, memory: SteadyClockMemory): SteadyClock {
  const follow = (wallMs: number, monotonicMs: number): void => {
    memory[FOLLOWED] = wallMs - monotonicMs;
    memory[SINCE_BOOT] = wallMs - clocks.sinceBoot();
  };
  if (Number.isNaN(memory[FOLLOWED])) follow(clocks.wall(), clocks.monotonic());

  /** How far the wall clock was ahead of the monotonic one at the last comparison with the time since boot. */
  let comparedMs = Number.NaN;
  const wasSuspended = (wallMs: number, aheadMs: number): boolean => {
    // The system call takes longer than all the rest. A jump that was no suspension does not become one later.
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

  /** The lead over the monotonic clock that the wall clock has jumped to, and since when it has it. */
  let candidate: { aheadMs: number; sinceMs: number } | null = null;
  return {
    now,
    look() {
      // This follows a machine that was suspended, if no other thread has done it yet.
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
      // A clock that moves slowly counts as one that stands.
      candidate.aheadMs = aheadMs;
      if (monotonicMs - candidate.sinceMs < STANDS_AFTER_MS) return null;
      candidate = null;
      memory[BEFORE] = followedMs;
      follow(wallMs, monotonicMs);
      return { kind: "followed", byMs: aheadMs - followedMs };
    },
    offsetMs() {
      // Two readings would differ by the millisecond that passes between them.
      const wallMs = clocks.wall();
      return wallMs - timeAt(wallMs);
    },
  };
}

/** False if one of the two is not known (NaN). */
const isNear = (leftMs: number, rightMs: number): boolean => Math.abs(leftMs - rightMs) <= JUMP_MS;
