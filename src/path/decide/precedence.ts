import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface PrecedenceOptions {
  /** How long the oldest record of the journal has waited for PostgreSQL. 0 if none waits. */
  journalAgeMs(): number;
  /** Turns real-time scheduling of this thread on or off. */
  schedule(realTime: boolean): void;
  /** Monotonic milliseconds. */
  now(): number;
}

/** A decide worker with real-time scheduling calls this after each batch. */
export type Precedence = () => void;

const LOOK_INTERVAL_MS = 250;

/**
 * Decides whether a decide worker gets the processor before the writer and PostgreSQL. In a burst it does, because they
 * can store the records afterwards. Under a lasting load above their capacity, they would fall behind by a fifth of all
 * decisions, and reads would wait. So the worker yields when the oldest record has waited for `journalBehindMs`. It
 * takes precedence again when that wait is below `journalCaughtUpMs`.
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
