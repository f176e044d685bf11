import { within } from "../shared/within.js";

export interface BoundedWorkOptions {
  /** False while PostgreSQL is known to be away: the answer is then immediate. */
  isReachable(): boolean;
  /** contract §9: answers within 2 s, also when PostgreSQL is frozen. */
  timeoutMs: number;
  onError(error: unknown): void;
}

/**
 * Runs work on PostgreSQL; `unavailable` when it fails or is late. A write that was answered so may still be carried out;
 * it is then whole.
 */
export type BoundedWork = <T>(work: () => Promise<T>) => Promise<T | "unavailable">;

export function createBoundedWork({ isReachable, timeoutMs, onError }: BoundedWorkOptions): BoundedWork {
  return async <T>(work: () => Promise<T>): Promise<T | "unavailable"> => {
    if (!isReachable()) return "unavailable";
    const answer = work().catch((error: unknown) => {
      onError(error);
      return "unavailable" as const;
    });
    return within(answer, timeoutMs, "unavailable" as const);
  };
}
