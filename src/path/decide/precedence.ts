import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface PrecedenceOptions {
  /** How long the oldest record of the journal has waited for PostgreSQL; 0 where none does. */
  journalAgeMs(): number;
  /** Asks for real-time scheduling of this thread, or gives it back. */
  schedule(realTime: boolean): void;
  /** Monotonic milliseconds. */
  now(): number;
}

/** To be called after each batch by a decide worker that runs in real time. */
export type Precedence = () => void;

const LOOK_INTERVAL_MS = 250;

/**
 * A decide worker goes before the writer and PostgreSQL, which in a burst is what makes most of two cores: they store
 * afterwards what they had no time for. For as long as more comes than the node can store they would fall behind for
 * good, by a fifth of all that is decided, and reads with them. So a worker gives way once they are too far behind, and
 * takes precedence again when they have caught up.
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
