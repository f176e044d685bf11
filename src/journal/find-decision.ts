import type { DecisionFacts } from "../outcomes/reported-outcome.js";
import { idFromHex, idTimeMs, idToHex } from "../shared/ids.js";
import { batchTimeMs, decodeBatch, noRecords } from "./batch-codec.js";
import type { DecisionRecordView } from "./decision-record.js";
import type { Journal } from "./journal.js";
import { toDecisionFacts } from "./known-facts.js";
import type { RetryRecord } from "./retry-record.js";

/**
 * Entries lie in the order of their commits, which with several workers is nearly that of their times: a batch may be
 * overtaken by one that began later. Nearly always by less than the first, never seen beyond the second.
 */
const DISORDER_MS = [50, 2000] as const;

/**
 * A decision that the journal still holds or has not forgotten, or null: what a node knows of its decisions while
 * PostgreSQL is away. A binary search by time, so that deciding pays nothing for it. `decisionId` is `dec_…`,
 * well-formed.
 */
export function findJournalledDecision(journal: Journal, decisionId: string): DecisionFacts | null {
  const timeMs = idTimeMs(decisionId);
  const id = Buffer.from(idToHex(decisionId), "hex");
  for (const disorderMs of DISORDER_MS) {
    const found = journal.reading(() => scan(journal, id, timeMs, disorderMs));
    if (found !== null) return found;
  }
  // Last: an entry that leaves meanwhile is among these.
  return journal.known.find(id, timeMs);
}

function scan(journal: Journal, id: Buffer, timeMs: number, disorderMs: number): DecisionFacts | null {
  let sequence = firstSequenceFrom(journal, timeMs - disorderMs) - 1;
  for (;;) {
    const entry = journal.entryAfter(sequence);
    if (entry === null) return null;
    const entryMs = batchTimeMs(entry.batch);
    if (entryMs > timeMs + disorderMs) return null;
    // All decisions of a batch are of one millisecond.
    if (entryMs === timeMs) {
      const records = noRecords();
      decodeBatch(entry.batch, records);
      const found = records.decisions.find(({ decisionId: { source, start, end } }) =>
        id.equals(source.subarray(start, end)),
      );
      // What a retry follows lies in the batch of its decision.
      if (found !== undefined) return toFacts(found, records.retries);
    }
    ({ sequence } = entry);
  }
}

/** The least sequence from which on an entry of `timeMs` or later follows; times may be a little out of order. */
function firstSequenceFrom(journal: Journal, timeMs: number): number {
  let low = journal.entryAfter(0)?.sequence ?? 1;
  let high = journal.lastSequence() + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = journal.entryAfter(middle - 1);
    if (entry === null || batchTimeMs(entry.batch) >= timeMs) high = middle;
    else low = entry.sequence + 1;
  }
  return low;
}

function toFacts(record: DecisionRecordView, retries: readonly RetryRecord[]): DecisionFacts {
  const decisionId = idFromHex("dec", record.decisionId.toString("hex"));
  const retry = retries.find((one) => one.decisionId === decisionId);
  return toDecisionFacts(
    record,
    retry === undefined ? null : { provider: retry.failedProvider, outcome: retry.failedOutcome },
  );
}
