import type { Journal } from "../journal/journal.js";
import type { JournalTeller } from "../persistence/journal-standings.js";

/** As often as a node tells: another one that does not find a decision waits for two of these at most. */
const TELL_INTERVAL_MS = 250;

export interface JournalStandingOptions {
  journal: Pick<Journal, "lastSequence">;
  teller: JournalTeller;
  /** Monotonic milliseconds. */
  now(): number;
}

export interface JournalStandingTold {
  /** Tells PostgreSQL, when it is time, until when everything is stored that is in the journal up to `position`. */
  tell(position: number): Promise<void>;
  /** The node ends, and all that its journal held is stored. */
  stopped(): Promise<void>;
}

/**
 * What was acknowledged before a moment is in the journal at that moment. So a moment counts as settled, by
 * PostgreSQL's clock, once what the journal held just after it is stored.
 */
export function createJournalStanding({ journal, teller, now }: JournalStandingOptions): JournalStandingTold {
  let toldMs = Number.NEGATIVE_INFINITY;
  let settledMs = 0;
  let settling: { clockMs: number; sequence: number } | null = null;
  return {
    async tell(position) {
      if (now() - toldMs < TELL_INTERVAL_MS) return;
      if (settling !== null && position >= settling.sequence) {
        settledMs = settling.clockMs;
        settling = null;
      }
      const clockMs = await teller.settled(settledMs);
      settling ??= { clockMs, sequence: journal.lastSequence() };
      toldMs = now();
    },
    stopped: () => teller.stopped(),
  };
}
