import { batchTimeMs } from "./batch-codec.js";
import type { Journal } from "./journal.js";

/** How long the oldest entry has been in the journal, which is that long at most in the way to PostgreSQL; 0 without any. */
export function journalAgeMs(journal: Pick<Journal, "oldestAfter">, nowMs: number): number {
  const oldest = journal.oldestAfter(0);
  return oldest === null ? 0 : Math.max(0, nowMs - batchTimeMs(oldest.batch));
}
