import { refusalKind } from "../../platform/postgres/refusal-kind.js";
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

  const copyAll = async (records: readonly RecordKey[]): Promise<number> => {
    const differing = await copy.copy(records);
    if (skipped.size > 0) for (const record of records) skipped.delete(nameOf(record));
    return differing;
  };

  /** Rejects where the failure is not a record's. */
  const assertRecords = async (error: unknown): Promise<void> => {
    if (sqlStateOf(error) !== null && refusalKind(error) === "server") throw error;
    await works();
  };

  const copyEach = async (records: readonly RecordKey[]): Promise<number> => {
    try {
      return await copyAll(records);
    } catch (error) {
      await assertRecords(error);
    }
    if (records.length > 1) {
      const half = Math.ceil(records.length / 2);
      return (await copyEach(records.slice(0, half))) + (await copyEach(records.slice(half)));
    }
    try {
      // Once more, since what ailed PostgreSQL may have passed.
      return await copyAll(records);
    } catch (error) {
      await assertRecords(error);
      for (const record of records) skip(record, error);
      return 0;
    }
  };

  const skip = (record: RecordKey, error: unknown): void => {
    const name = nameOf(record);
    if (skipped.has(name)) return;
    if (skipped.size < SKIPPED_MAX) skipped.add(name);
    onSkipped(record, error);
  };

  return { ...copy, copy: copyEach, isSkipped: (record) => skipped.has(nameOf(record)) };
}

const nameOf = ({ workspaceId, key }: RecordKey): string => `${workspaceId}/${key}`;
