import { monotonicMs } from "../timing/clock.js";
import { within } from "../timing/within.js";

export interface BoundedWorkOptions {
  /** False while PostgreSQL is known to be away: the answer is then immediate. */
  isReachable(): boolean;
  /** DUR-5: answers within 2 s, also when PostgreSQL is frozen. */
  timeoutMs: number;
  /** Told of one error a second, each a stack that is written while decisions wait; `untold` came since the last one. */
  onError(error: unknown, untold: number): void;
}

const TELL_INTERVAL_MS = 1000;

/**
 * Runs work on PostgreSQL; `unavailable` when it fails or is late. A write that was answered so may still be carried out;
 * it is then whole.
 */
export type BoundedWork = <T>(work: () => Promise<T>) => Promise<T | "unavailable">;

export function createBoundedWork({ isReachable, timeoutMs, onError }: BoundedWorkOptions): BoundedWork {
  let toldAtMs = -Infinity;
  let untold = 0;
  const tell = (error: unknown): void => {
    const nowMs = monotonicMs();
    if (nowMs - toldAtMs < TELL_INTERVAL_MS) {
      untold++;
      return;
    }
    onError(error, untold);
    toldAtMs = nowMs;
    untold = 0;
  };
  return async <T>(work: () => Promise<T>): Promise<T | "unavailable"> => {
    if (!isReachable()) return "unavailable";
    const answer = work().catch((error: unknown) => {
      tell(error);
      return "unavailable" as const;
    });
    return within(answer, timeoutMs, "unavailable" as const);
  };
}
