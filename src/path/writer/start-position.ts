import { batchRecordCount } from "../journal/batch-codec.js";
import type { Journal } from "../journal/journal.js";
import { JournalReplacedError } from "./database-error.js";
import type { DecisionWriter } from "./decision-writer.js";
import { emptyBatch } from "./drained-batch.js";
import type { WriterReport } from "./messages.js";

interface StartOptions {
  journal: Journal;
  writer: DecisionWriter;
  report(report: WriterReport): void;
}

/**
 * Resolves to PostgreSQL's position. A kill between commit and removal leaves entries that PostgreSQL already has. If
 * PostgreSQL was restored to an earlier state, the position first moves to what the journal still holds. Rejects with
 * JournalReplacedError for a position past the journal's end.
 */
export async function positionToStartFrom({ journal, writer, report }: StartOptions): Promise<number> {
  for (;;) {
    const stored = await writer.position();
    if (stored > journal.lastSequence()) throw new JournalReplacedError(stored, journal.lastSequence());
    const held = heldAfter(journal, stored);
    if (held === stored) return stored;
    // DUR-15: reads would wait for these records forever, because no copy of them exists any more.
    if ((await writer.write(emptyBatch(), held)) === "position_moved") continue;
    report({ type: "restored", records: held - stored });
    return held;
  }
}

/**
 * The position before the oldest record that the journal holds after `position`. It is above `position` only if
 * PostgreSQL was restored to an earlier state, because a record leaves the journal after it was stored.
 */
function heldAfter(journal: Journal, position: number): number {
  // This is read first, so that a record appended meanwhile does not count as lost.
  const last = journal.lastSequence();
  const oldest = journal.oldestAfter(position);
  return Math.max(position, oldest === null ? last : oldest.sequence - batchRecordCount(oldest.batch));
}
