import { refusalKind, type RefusalKind } from "../../platform/postgres/refusal-kind.js";
import { sqlStateOf } from "../../platform/postgres/sql-state.js";
import type { RecordKey } from "./copied-records.js";
import type { RecordCopy } from "./record-copy.js";

export interface IsolationParts {
  copy: RecordCopy;
  /** Rejects if PostgreSQL does not answer or this node cannot store a copy. The failure is then no record's fault. */
  works(): Promise<void>;
  /**
   * Called when the copy of one record fails while others succeed. It is called once per record until the record is
   * copied.
   */
  onSkipped(record: RecordKey, error: unknown): void;
}

/** A copy in which a failing record does not delay other records. */
export interface IsolatedCopy extends RecordCopy {
  /** True if the record's last copy failed: this node's version may be old. */
  isSkipped(record: RecordKey): boolean;
}

/** The number of skipped records that are remembered. Past it, each failure is reported. */
const SKIPPED_MAX = 1000;

/**
 * Finds a record whose copy fails by halving the list, and skips it. The node keeps its earlier copy, if any. The
 * comparison reads all records again and again, and tries the skipped record each time.
 */
export function isolateRecords({ copy, works, onSkipped }: IsolationParts): IsolatedCopy {
  const skipped = new Set<string>();

  const copyAll = async (records: readonly RecordKey[], tried: Tried): Promise<void> => {
    tried.differing += await copy.copy(records);
    tried.isAnyCopied = true;
    if (skipped.size > 0) for (const record of records) skipped.delete(nameOf(record));
  };

  /** Rejects if the failure is not a record's fault. */
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
      // The record is tried once more, because PostgreSQL's trouble may have passed.
      await copyAll(records, tried);
    } catch (error) {
      await assertRecords(error);
      for (const record of records) tried.failed.push({ record, error });
    }
  };

  const copyGood = async (records: readonly RecordKey[]): Promise<number> => {
    const tried: Tried = { differing: 0, isAnyCopied: false, failed: [] };
    await copyEach(records, tried);
    // A missing table or a missing right is no record's fault: no record can then be copied, and all of them wait.
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

/** An error without an SQLSTATE was thrown by our own code over the record's contents. */
const kindOf = (error: unknown): RefusalKind => (sqlStateOf(error) === null ? "row" : refusalKind(error));

const nameOf = ({ workspaceId, key }: RecordKey): string => `${workspaceId}/${key}`;
