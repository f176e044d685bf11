import { decodeBatch, JournalFormatError, noRecords, type BatchRecords } from "../journal/batch-codec.js";
import type { Journal } from "../journal/journal.js";
import { createKnownFacts } from "../journal/known-facts.js";
import { LIMITS } from "../shared/limits.js";

/** Entries that are in PostgreSQL and still have to leave the journal, which goes on knowing their decisions. */
export interface DrainedEntries {
  /** All that the journal holds up to `position` is drained: what a kill between commit and removal leaves. */
  startFrom(position: number): void;
  /** What was drained last, up to `position`. */
  add(records: Pick<BatchRecords, "decisions" | "retries">, position: number): void;
  /** Throws like every write on a full disk; a later call then does it. */
  remove(): void;
}

/** Read at a time, after a kill. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

export function createDrainedEntries(journal: Journal): DrainedEntries {
  const facts = createKnownFacts();
  let through = 0;
  let removedThrough = 0;

  const add: DrainedEntries["add"] = ({ decisions, retries }, position) => {
    // Of more than are kept the oldest would be forgotten at once; on a full disk they pile up here.
    if ((facts.bytes()?.length ?? 0) > LIMITS.journalKnownBytesMax) facts.clear();
    facts.add(decisions, retries);
    through = position;
  };

  return {
    startFrom(position) {
      facts.clear();
      for (let sequence = 0; sequence < position;) {
        const entries = journal.readAfter(sequence, BYTES_AT_ONCE, position - sequence);
        const drained = entries.filter((entry) => entry.sequence <= position);
        const last = drained.at(-1);
        if (last === undefined) break;
        const records = noRecords();
        for (const { batch } of drained) readAsFarAsKnown(batch, records);
        add(records, last.sequence);
        ({ sequence } = last);
      }
    },
    add,
    remove() {
      if (through === removedThrough) return;
      journal.removeThrough(through, facts.bytes());
      facts.clear();
      removedThrough = through;
    },
  };
}

/** What another build has written and stored may go unread. */
function readAsFarAsKnown(batch: Buffer, into: BatchRecords): void {
  try {
    decodeBatch(batch, into);
  } catch (error) {
    if (!(error instanceof JournalFormatError)) throw error;
  }
}
