import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface PrecedenceOptions {
  /** The time for which the oldest record of the journal has waited for PostgreSQL. 0 if none waits. */
  journalAgeMs(): number;
  /** Requests real-time scheduling of this thread, or ends it. */
  schedule(realTime: boolean): void;
  /** Monotonic milliseconds. */
  now(): number;
}

/** A decide worker that runs in real time calls it after each batch. */
export type Precedence = () => void;

const LOOK_INTERVAL_MS = 250;

/**
 * Decides whether a decide worker runs before the writer and PostgreSQL. In a burst it does, because they can store the
 * records afterwards. Under a lasting load above their capacity they would fall behind by a fifth of all decisions, and
 * reads with them. So a worker yields once they are too far behind, and takes precedence again once they have caught
 * up.
 */
export function createPrecedence({ journalAgeMs, schedule, now }: PrecedenceOptions): Precedence {
  let isFirst = true;
  let lookedMs = now();
  return () => {
    const nowMs = now();
    if (nowMs - lookedMs < LOOK_INTERVAL_MS) return;
    lookedMs = nowMs;
    const ageMs = journalAgeMs();
    const isDue = isFirst ? ageMs > TUNING.journalBehindMs : ageMs < TUNING.journalCaughtUpMs;
    if (!isDue) return;
    isFirst = !isFirst;
    schedule(isFirst);
  };
}
