import type { AmountTracker } from "./amount-tracker.js";
import { isDatabaseError } from "./database-error.js";
import type { DecisionWriter, WriteResult } from "./decision-writer.js";
import { type DrainedBatch, toWriteBatch, type JournalPart } from "./drained-batch.js";
import type { WriterReport } from "./messages.js";
import type { WriteFailure } from "./write-failure.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { idToHex } from "../../domain/ids/ids.js";
import { MODES } from "../../domain/vocabulary/vocabulary.js";
import { refusalKind } from "../../platform/postgres/refusal-kind.js";
import { batchKind, decodeBatch, noRecords } from "../journal/batch-codec.js";
import { refusalWordsOf, type RefusedRecord } from "./set-aside-queries.js";

export interface BatchStoreOptions extends Pick<IsolationOptions, "partsAfter"> {
  writer: DecisionWriter;
  amounts: Pick<AmountTracker, "add">;
  describe(error: unknown): WriteFailure;
  /** Called if PostgreSQL refused the batch because of a record in it, but not if the batch must wait. */
  onRefused(failure: WriteFailure): void;
  report(report: WriterReport): void;
}

/**
 * - `stored`, `set_aside`: the position is now after the batch.
 * - `smaller`: nothing was stored. Try again with at most `partsMax()` parts.
 * - `position_moved`: nothing was stored, because another process or an earlier attempt has moved the position.
 */
export type Stored = "stored" | "set_aside" | "smaller" | "position_moved";

/** Stores batches. If PostgreSQL refuses a batch, it finds the record that is to blame. */
export interface BatchStore {
  /** The number of parts that the next batch may have. */
  partsMax(): number;
  /** Stores a batch. Rejects if the batch must wait. */
  store(next: DrainedBatch): Promise<Stored>;
}

export function createBatchStore(options: BatchStoreOptions): BatchStore {
  const { writer, amounts, partsAfter, describe, onRefused, report } = options;
  const isolation = createIsolation({ writer, partsAfter });
  return {
    partsMax: isolation.partsMax,
    async store(next) {
      try {
        const result = await writer.write(next.batch, next.through);
        if (result === "position_moved") return result;
        isolation.stored();
        for (const row of next.decisions) amounts.add(row);
        return "stored";
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        const refusal = describe(error);
        const then = await isolation.refused(error, next);
        if (then === "wait") throw error;
        onRefused(refusal);
        if (then === "go_on") return "smaller";
        if (then.setAside === "position_moved") return "position_moved";
        report({ type: "set_aside", failure: refusal });
        return "set_aside";
      }
    },
  };
}

interface IsolationOptions {
  writer: Pick<DecisionWriter, "doing" | "takes" | "setAside">;
  /** Returns the parts after the writer's position in the journal. */
  partsAfter(partsMax: number): JournalPart[];
}

/**
 * The next step after a refusal.
 * - `wait`: PostgreSQL can store nothing now, or the cause is unknown.
 * - `go_on`: try again, with at most `partsMax()` parts.
 * - `setAside`: the result of setting the one refused record aside.
 */
export type AfterRefusal = "wait" | "go_on" | { setAside: WriteResult };

/**
 * Finds the record for which PostgreSQL refuses a batch. It halves the batch down to one record, and sets that record
 * aside.
 */
export interface Isolation {
  /** The number of parts that the next transaction may have. */
  partsMax(): number;
  stored(): void;
  /** Call this if the writer has rejected `batch` with `error`. Rejects like the writer. */
  refused(error: unknown, batch: DrainedBatch): Promise<AfterRefusal>;
}

/**
 * The most other records that are tried. They are spread over the waiting records, because refused records often follow
 * each other.
 */
const LIKE_ASKED_MAX = 32;

function createIsolation({ writer, partsAfter }: IsolationOptions): Isolation {
  let partsMax = Number.POSITIVE_INFINITY;
  /** The position after a record that PostgreSQL has refused one time although it accepts others of its kind. */
  let suspect = -1;

  /** Returns whether PostgreSQL accepts some other waiting record of the same kind. */
  async function takesLike(single: Buffer): Promise<boolean> {
    const kind = batchKind(single);
    const like = partsAfter(TUNING.journalDrainRowsMax)
      .slice(1)
      .filter(({ entry }) => batchKind(entry) === kind);
    const step = Math.max(1, like.length / LIKE_ASKED_MAX);
    for (let at = 0; at < like.length; at += step) {
      const { entry } = like[Math.floor(at)] as JournalPart;
      const records = noRecords();
      decodeBatch(entry, records);
      try {
        await writer.takes(toWriteBatch(records));
        return true;
      } catch (error) {
        if (refusalKind(error) === "server") throw error;
      }
    }
    return false;
  }

  return {
    partsMax: () => partsMax,

    stored() {
      partsMax *= 2;
      if (partsMax > TUNING.journalDrainRowsMax) partsMax = Number.POSITIVE_INFINITY;
    },

    async refused(error, { parts, single, through }) {
      const { phase, name } = writer.doing();
      const kind = refusalKind(error);
      const isOfBatch = phase === "transaction" || phase === "partitions";
      if (kind === "server" || !isOfBatch) return "wait";
      if (single === null) {
        partsMax = Math.max(1, Math.floor(parts / 2));
        return "go_on";
      }
      if (kind === "unclear" && suspect !== through) {
        if (!(await takesLike(single))) return "wait";
        // The record is tried one more time, because PostgreSQL's trouble may have passed between the two attempts.
        suspect = through;
        return "go_on";
      }
      return { setAside: await writer.setAside(refusedRecord(error, single, name), through) };
    },
  };
}

function refusedRecord(error: unknown, entry: Buffer, statement: string): RefusedRecord {
  const records = noRecords();
  decodeBatch(entry, records);
  const [decision] = records.decisions;
  const [outcome] = records.outcomes;
  const of = { entry, kind: batchKind(entry), statement, ...refusalWordsOf(error) };
  if (decision !== undefined) {
    const { workspaceId, decisionId, mode } = decision;
    return { ...of, mode, workspaceId: workspaceId.toString("hex"), decisionId: decisionId.toString("hex") };
  }
  if (outcome === undefined) return { ...of, mode: null, workspaceId: null, decisionId: null };
  const { workspaceId, decisionId, mode } = outcome;
  return {
    ...of,
    mode: MODES.indexOf(mode),
    workspaceId: idToHex(workspaceId),
    decisionId: idToHex(decisionId),
  };
}
