/**
 * How far the wall clock may move against the monotonic one before it has jumped: nothing sets a sound clock by more
 * within the second that lies between two looks at it, and an hour that is longer or shorter by that dates nothing wrong.
 */
export const JUMP_MS = 5_000;
/** How long a clock that has jumped must stand before it is followed. */
export const STANDS_AFTER_MS = 60_000;

/** Milliseconds each; read where a thread has nothing else to go by. */
export interface Clocks {
  /** Unix milliseconds, as the host has set them. */
  wall(): number;
  /** Does not go back, is alike on all threads, and stands while the machine is suspended. */
  monotonic(): number;
  /** The same, but goes on while the machine is suspended; of a coarser step. */
  sinceBoot(): number;
}

/** Made by `steadyClockMemory`; all threads of a process share one, so that no two tell different times. */
export type SteadyClockMemory = Float64Array;

/** What the wall clock was ahead of the monotonic clock: the one that is followed, and the one that was before it. */
const FOLLOWED = 0;
const BEFORE = 1;
/** What the followed wall clock was ahead of the time since boot. */
const SINCE_BOOT = 2;
const WORDS = 3;

export const steadyClockMemory = (): SteadyClockMemory =>
  new Float64Array(new SharedArrayBuffer(WORDS * Float64Array.BYTES_PER_ELEMENT)).fill(Number.NaN);

export type ClockChange =
  /** By so much against the time that goes on, in milliseconds. */
  | { kind: "jumped"; byMs: number }
  /** It has stood where it jumped to, and the time is its own again: so much later, in milliseconds. */
  | { kind: "followed"; byMs: number }
  /** It is back where it was. */
  | { kind: "returned" };

export interface SteadyClock {
  /**
   * Unix milliseconds, whole: the wall clock's, and where that has jumped those of the monotonic clock since. A machine
   * that was suspended, and a clock that is back where it was before, are followed at once.
   */
  now(): number;
  /** What one thread does every second: follows a clock that moves slowly, or has jumped and stands. Null: nothing new. */
  look(): ClockChange | null;
  /** How far the wall clock is from `now()`, in milliseconds; positive where it is ahead. */
  offsetMs(): number;
}

export function createSteadyClock(clocks: Clocks, memory: SteadyClockMemory): SteadyClock {
  const follow = (wallMs: number, monotonicMs: number): void => {
    memory[FOLLOWED] = wallMs - monotonicMs;
    memory[SINCE_BOOT] = wallMs - clocks.sinceBoot();
  };
  if (Number.isNaN(memory[FOLLOWED])) follow(clocks.wall(), clocks.monotonic());

  /** Where the wall clock stood, seen from the monotonic one, when the time since boot was last compared. */
  let comparedMs = Number.NaN;
  const wasSuspended = (wallMs: number, aheadMs: number): boolean => {
    // Asking the system takes longer than all the rest, and a jump that was none of these stays none.
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

  /** A place that the wall clock has jumped to, seen from the monotonic one, and since when. */
  let candidate: { aheadMs: number; sinceMs: number } | null = null;
  return {
    now,
    look() {
      // A machine that was suspended is followed here, where no other thread has.
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
      // One that moves slowly stands as well.
      candidate.aheadMs = aheadMs;
      if (monotonicMs - candidate.sinceMs < STANDS_AFTER_MS) return null;
      candidate = null;
      memory[BEFORE] = followedMs;
      follow(wallMs, monotonicMs);
      return { kind: "followed", byMs: aheadMs - followedMs };
    },
    offsetMs() {
      // Looked at twice, a clock that is followed would be off by the millisecond that passes between.
      const wallMs = clocks.wall();
      return wallMs - timeAt(wallMs);
    },
  };
}

/** False where one of them is not known. */
const isNear = (leftMs: number, rightMs: number): boolean => Math.abs(leftMs - rightMs) <= JUMP_MS;
