import { refusalKind, type RefusalKind } from "../../platform/postgres/refusal-kind.js";
import { sqlStateOf } from "../../platform/postgres/sql-state.js";
import type { RecordKey } from "./copied-records.js";
import type { RecordCopy } from "./record-copy.js";

export interface IsolationParts {
  copy: RecordCopy;
  /** Rejects where PostgreSQL does not answer or this node cannot store a copy: then no record is to blame. */
  works(): Promise<void>;
  /** Its copy fails, and the others' do not. Told once, until it is copied after all. */
  onSkipped(record: RecordKey, error: unknown): void;
}

/** A record whose copy fails for what it holds keeps no other from being copied. */
export interface IsolatedCopy extends RecordCopy {
  /** Its last copy failed: what this node holds of it may be old. */
  isSkipped(record: RecordKey): boolean;
}

/** Records that are known to be skipped; of more each failure is told. */
const SKIPPED_MAX = 1000;

/**
 * Finds a record whose copy fails by halves, and passes it over: what it was or was not before stays. The comparison,
 * which goes over all records again and again, tries it each time.
 */
export function isolateRecords({ copy, works, onSkipped }: IsolationParts): IsolatedCopy {
  const skipped = new Set<string>();

  const copyAll = async (records: readonly RecordKey[], tried: Tried): Promise<void> => {
    tried.differing += await copy.copy(records);
    tried.isAnyCopied = true;
    if (skipped.size > 0) for (const record of records) skipped.delete(nameOf(record));
  };

  /** Rejects where the failure is not a record's. */
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
      // Once more, since what ailed PostgreSQL may have passed.
      await copyAll(records, tried);
    } catch (error) {
      await assertRecords(error);
      for (const record of records) tried.failed.push({ record, error });
    }
  };

  const copyGood = async (records: readonly RecordKey[]): Promise<number> => {
    const tried: Tried = { differing: 0, isAnyCopied: false, failed: [] };
    await copyEach(records, tried);
    // A table or a right that is missing is no record's fault: then none can be copied, and all of them wait.
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

/** What is no word of PostgreSQL's was thrown over what the record holds. */
const kindOf = (error: unknown): RefusalKind => (sqlStateOf(error) === null ? "row" : refusalKind(error));

const nameOf = ({ workspaceId, key }: RecordKey): string => `${workspaceId}/${key}`;
