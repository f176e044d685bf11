import type { Journal, JournalEntry } from "../journal/journal.js";

/** Entries that are in PostgreSQL and stay in the journal for a while: what the node knows while PostgreSQL is away. */
export interface KnownEntries {
  /** Counts what the journal holds up to `position`, all of it drained, and trims. */
  startFrom(position: number): void;
  /** `entries` were drained. */
  add(entries: readonly JournalEntry[]): void;
  /** Removes the oldest as far as they are over the limit. Throws like every write on a full disk; a later call goes on. */
  trim(): void;
  bytes(): number;
}

export function createKnownEntries(journal: Journal, bytesMax: number): KnownEntries {
  let kept: { sequence: number; bytes: number }[] = [];
  let keptBytes = 0;

  const keep = ({ sequence, batch }: JournalEntry): void => {
    kept.push({ sequence, bytes: batch.length });
    keptBytes += batch.length;
  };
  const trim = (): void => {
    let over = 0;
    let bytesLeft = keptBytes;
    while (bytesLeft > bytesMax) bytesLeft -= kept[over++]?.bytes ?? 0;
    const last = kept[over - 1];
    if (last === undefined) return;
    journal.removeThrough(last.sequence);
    kept = kept.slice(over);
    keptBytes = bytesLeft;
  };

  return {
    startFrom(position) {
      kept = [];
      keptBytes = 0;
      for (let entry = journal.entryAfter(0); entry !== null; entry = journal.entryAfter(entry.sequence)) {
        if (entry.sequence > position) break;
        keep(entry);
      }
      trim();
    },
    add(entries) {
      for (const entry of entries) keep(entry);
    },
    trim,
    bytes: () => keptBytes,
  };
}
