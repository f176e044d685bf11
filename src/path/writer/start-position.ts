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
 * Resolves to PostgreSQL's position. After a kill between commit and removal, the journal has entries that PostgreSQL
 * has too. If PostgreSQL was restored to an earlier state, the position is first moved to the journal's oldest record.
 * Rejects with JournalReplacedError if the position is after the journal's end.
 */
export async function positionToStartFrom({ journal, writer, report }: StartOptions): Promise<number> {
  for (;;) {
    const stored = await writer.position();
    if (stored > journal.lastSequence()) throw new JournalReplacedError(stored, journal.lastSequence());
    const held = heldAfter(journal, stored);
    if (held === stored) return stored;
    // DUR-15: no copy of these records exists any more, so reads would wait for them forever.
    if ((await writer.write(emptyBatch(), held)) === "position_moved") continue;
    report({ type: "restored", records: held - stored });
    return held;
  }
}

/**
 * The position before the oldest record that the journal has after `position`. It is greater than `position` only if
 * PostgreSQL was restored to an earlier state, because a record leaves the journal only after it was stored.
 */
function heldAfter(journal: Journal, position: number): number {
  // Read first, so that a record appended meanwhile does not count as lost.
  const last = journal.lastSequence();
  const oldest = journal.oldestAfter(position);
  return Math.max(position, oldest === null ? last : oldest.sequence - batchRecordCount(oldest.batch));
}
