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

/** What one transaction drains of the journal. Its rows are views into memory that the next look at the journal reuses. */
export interface DrainedBatch {
  batch: WriteBatch;
  decisions: readonly DecisionRecordView[];
  /** Decisions and outcomes. */
  rows: number;
  /** The position once it is stored. */
  through: number;
  /** Of how many parts it is, or more: a smaller part of it has fewer. */
  parts: number;
  /** The journal entry of its one part, if it was read in parts and has no other. */
  single: Buffer | null;
}

/** Rows of one transaction: enough to spread its fixed cost, few enough to keep the journal young. */
const DRAIN_BYTES_MAX = 16 * 1024 * 1024;

/** A part of an entry as an entry of its own, and the position once it is stored. */
export interface JournalPart {
  entry: Buffer;
  through: number;
}

/**
 * The first `partsMax` records after `position`, each with what belongs to it. A position inside an entry counts the
 * parts of it that are stored; behind the last one it is the entry's sequence. An entry has no more parts than records.
 */
export function partsAfter(journal: Journal, position: number, partsMax: number): JournalPart[] {
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

/** What follows `position`, oldest first; null where nothing does. `partsMax`: infinite where nothing was refused. */
export function drainAfter(journal: Journal, position: number, partsMax: number): DrainedBatch | null {
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

/** What waits behind `position`, which is below 0 while PostgreSQL has not said it: then all may be missing there. */
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

export function toWriteBatch({
  decisions,
  outcomes,
  healthGroups,
  costs,
  retries,
}: BatchRecords): WriteBatch {
  return {
    decisions,
    outcomes: outcomes.map(toOutcomeRow),
    healthGroups,
    costs,
    retries: retries.map(toRetryRow),
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
