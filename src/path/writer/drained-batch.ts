import { TUNING } from "../../domain/vocabulary/tuning.js";
import { MODES, OUTCOMES, TECHNICAL_FAILURE_TYPES } from "../../domain/vocabulary/vocabulary.js";
import {
  batchAgeMs,
  batchRecordCount,
  decodeBatch,
  noRecords,
  splitBatch,
  type BatchRecords,
} from "../journal/batch-codec.js";
import type { DecisionRecordView } from "../journal/decision-record.js";
import type { Journal } from "../journal/journal.js";
import type { OutcomeRecord } from "../journal/outcome-record.js";
import type { RetryRecord } from "../journal/retry-record.js";
import type { WriteBatch } from "./copy/batch-steps.js";
import type { OutcomeRow } from "./copy/outcome-row.js";
import type { RetryRow } from "./copy/retry-batch.js";

/**
 * The records that one transaction takes from the journal. The rows are views into memory that the next read of the
 * journal overwrites.
 */
export interface DrainedBatch {
  batch: WriteBatch;
  decisions: readonly DecisionRecordView[];
  /** The number of decisions and outcomes. */
  rows: number;
  /** The position after the batch is stored. */
  through: number;
  /** The number of parts, or an upper bound of it. A smaller batch from the same position has fewer parts. */
  parts: number;
  /** The journal entry of the only part. Null unless the batch was read in parts and has exactly one. */
  single: Buffer | null;
}

/** A journal, or the mirrored stream of another node's journal. */
export type DrainedJournal = Pick<Journal, "readAfter">;

/** The most bytes of one transaction: enough to spread its fixed cost, and few enough that the journal stays short. */
const DRAIN_BYTES_MAX = 16 * 1024 * 1024;

/** A part of a journal entry, encoded as an entry itself. `through` is the position after the part is stored. */
export interface JournalPart {
  entry: Buffer;
  through: number;
}

/**
 * Returns the first `partsMax` parts after `position`. A part is a record with the records that belong to it. Inside an
 * entry, the position counts the stored parts of the entry. After the last part it is the entry's sequence. This
 * counting works because an entry has at most as many parts as records.
 */
export function partsAfter(journal: DrainedJournal, position: number, partsMax: number): JournalPart[] {
  const recordsMax = Math.min(partsMax, TUNING.journalDrainRowsMax);
  const parts: JournalPart[] = [];
  for (const { sequence, batch } of journal.readAfter(position, DRAIN_BYTES_MAX, recordsMax)) {
    const before = sequence - batchRecordCount(batch);
    const entries = splitBatch(batch);
    for (const [at, entry] of entries.entries()) {
      const through = at === entries.length - 1 ? sequence : before + at + 1;
      if (through > position) parts.push({ entry, through });
      if (parts.length === partsMax) return parts;
    }
  }
  return parts;
}

/**
 * Returns the records after `position`, the oldest first. Null if there are none. `partsMax` is infinite unless
 * PostgreSQL has refused something.
 */
export function drainAfter(journal: DrainedJournal, position: number, partsMax: number): DrainedBatch | null {
  const entries = journal.readAfter(
    position,
    DRAIN_BYTES_MAX,
    Math.min(partsMax, TUNING.journalDrainRowsMax),
  );
  const [first] = entries;
  if (first === undefined) return null;
  const isWhole = first.sequence - batchRecordCount(first.batch) >= position;
  if (partsMax === Number.POSITIVE_INFINITY && isWhole) {
    const parts = entries.reduce((sum, { batch }) => sum + batchRecordCount(batch), 0);
    const through = entries.at(-1)?.sequence ?? first.sequence;
    return drained(
      entries.map(({ batch }) => batch),
      { through, parts, single: null },
    );
  }
  const parts = partsAfter(journal, position, partsMax);
  const last = parts.at(-1) as JournalPart;
  return drained(
    parts.map(({ entry }) => entry),
    { through: last.through, parts: parts.length, single: parts.length === 1 ? last.entry : null },
  );
}

function drained(
  entries: readonly Buffer[],
  rest: Pick<DrainedBatch, "through" | "parts" | "single">,
): DrainedBatch {
  const records = noRecords();
  for (const entry of entries) decodeBatch(entry, records);
  const { decisions, outcomes } = records;
  return { batch: toWriteBatch(records), decisions, rows: decisions.length + outcomes.length, ...rest };
}

/** Measures the records after `position`. If the position is negative, it is unknown, and all records count. */
export function depthAfter(
  journal: Journal,
  position: number,
  nowMs: number,
): { depthRecords: number; depthBytes: number; ageMs: number } {
  const oldest = journal.oldestAfter(Math.max(0, position));
  if (oldest === null) return { depthRecords: 0, depthBytes: 0, ageMs: 0 };
  const stored = Math.max(position, oldest.sequence - batchRecordCount(oldest.batch));
  const depthRecords = journal.lastSequence() - stored;
  const depthBytes = depthRecords === 0 ? 0 : journal.stats().bytes;
  return { depthRecords, depthBytes, ageMs: batchAgeMs(oldest.batch, nowMs) };
}

/** A batch that only moves the position. */
export const emptyBatch = (): WriteBatch => toWriteBatch(noRecords());

export function toWriteBatch({
  decisions,
  outcomes,
  healthGroups,
  costs,
  retries,
  attempts,
}: BatchRecords): WriteBatch {
  return {
    decisions,
    outcomes: outcomes.map(toOutcomeRow),
    healthGroups,
    costs,
    retries: retries.map(toRetryRow),
    attempts,
  };
}

function toOutcomeRow({ mode, outcome, technicalFailureType, ...record }: OutcomeRecord): OutcomeRow {
  return {
    ...record,
    mode: MODES.indexOf(mode),
    outcome: OUTCOMES.indexOf(outcome),
    technicalFailureType:
      technicalFailureType === null ? null : TECHNICAL_FAILURE_TYPES.indexOf(technicalFailureType),
  };
}

function toRetryRow({ mode, failedOutcome, ...record }: RetryRecord): RetryRow {
  return { ...record, mode: MODES.indexOf(mode), failedOutcome: OUTCOMES.indexOf(failedOutcome) };
}
