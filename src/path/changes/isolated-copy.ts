import { refusalKind, type RefusalKind } from "../../platform/postgres/refusal-kind.js";
import { sqlStateOf } from "../../platform/postgres/sql-state.js";
import type { RecordKey } from "./copied-records.js";
import type { RecordCopy } from "./record-copy.js";

export interface IsolationParts {
  copy: RecordCopy;
  /**
   * Rejects if PostgreSQL does not answer or this node cannot store a copy. A failed copy is then not the record's
   * fault.
   */
  works(): Promise<void>;
  /**
   * Called when a record cannot be copied because of its content. For up to `SKIPPED_MAX` such records, it is called
   * again only if the record was copied since.
   */
  onSkipped(record: RecordKey, error: unknown): void;
}

/** A copy in which a failing record does not delay other records. */
export interface IsolatedCopy extends RecordCopy {
  /** True if the record's last copy failed, so this node's copy of it may be old. */
  isSkipped(record: RecordKey): boolean;
}

/** The most skipped records that are remembered. Above this, every failure of a record is reported. */
const SKIPPED_MAX = 1000;

/**
 * Halves the list until it finds the record whose copy fails, and skips that record. The node keeps its earlier copy of
 * the record, if any. The comparison in the background tries a skipped record again each time.
 */
export function isolateRecords({ copy, works, onSkipped }: IsolationParts): IsolatedCopy {
  const skipped = new Set<string>();

  const copyAll = async (records: readonly RecordKey[], tried: Tried): Promise<void> => {
    tried.differing += await copy.copy(records);
    tried.isAnyCopied = true;
    if (skipped.size > 0) for (const record of records) skipped.delete(nameOf(record));
  };

  /** Rejects if the failure is not the fault of a record. */
  const assertRecords = async (error: unknown): Promise<void> => {
    if (kindOf(error) === "server") throw error;
    await works();
  };

  const copyEach = async (records: readonly RecordKey[], tried: Tried): Promise<void> => {
    try {
      return await copyAll(records, tried);
    } catch (error) {
      await assertRecords(error);
    }
    if (records.length > 1) {
      const half = Math.ceil(records.length / 2);
      await copyEach(records.slice(0, half), tried);
      return copyEach(records.slice(half), tried);
    }
    try {
      // The record is tried one more time, because PostgreSQL's trouble may have passed.
      await copyAll(records, tried);
    } catch (error) {
      await assertRecords(error);
      for (const record of records) tried.failed.push({ record, error });
    }
  };

  const copyGood = async (records: readonly RecordKey[]): Promise<number> => {
    const tried: Tried = { differing: 0, isAnyCopied: false, failed: [] };
    await copyEach(records, tried);
    // A missing table or permission is no record's fault. If no record could be copied, the failure may be of that
    // kind. Then no record is skipped and all wait.
    const unclear = tried.failed.find(({ error }) => kindOf(error) === "unclear");
    if (!tried.isAnyCopied && unclear !== undefined) throw unclear.error;
    for (const { record, error } of tried.failed) skip(record, error);
    return tried.differing;
  };

  const skip = (record: RecordKey, error: unknown): void => {
    const name = nameOf(record);
    if (skipped.has(name)) return;
    if (skipped.size < SKIPPED_MAX) skipped.add(name);
    onSkipped(record, error);
  };

  return { ...copy, copy: copyGood, isSkipped: (record) => skipped.has(nameOf(record)) };
}

interface Tried {
  differing: number;
  isAnyCopied: boolean;
  readonly failed: { record: RecordKey; error: unknown }[];
}

/**
 * The kind of a failed copy. An error without an SQLSTATE came from this service's own code, because of the record's
 * content.
 */
const kindOf = (error: unknown): RefusalKind => (sqlStateOf(error) === null ? "row" : refusalKind(error));

const nameOf = ({ workspaceId, key }: RecordKey): string => `${workspaceId}/${key}`;
