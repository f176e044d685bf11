import { TUNING } from "../../domain/vocabulary/tuning.js";
import { idToHex } from "../../domain/ids/ids.js";
import { MODES } from "../../domain/vocabulary/vocabulary.js";
import { refusalKind } from "../../platform/postgres/refusal-kind.js";
import { batchKind, decodeBatch, noRecords } from "../journal/batch-codec.js";
import type { DecisionWriter, WriteResult } from "./decision-writer.js";
import { toWriteBatch, type DrainedBatch, type JournalPart } from "./drained-batch.js";
import { refusalWordsOf, type RefusedRecord } from "./set-aside-queries.js";

export interface IsolationOptions {
  writer: Pick<DecisionWriter, "doing" | "takes" | "setAside">;
  /** What follows the writer's position in the journal. */
  partsAfter(partsMax: number): JournalPart[];
}

/**
 * What to do after a refusal.
 * - `wait`: PostgreSQL is not in a state to store anything, or nobody can tell.
 * - `go_on`: with as many parts as `partsMax` says now.
 */
export type AfterRefusal = "wait" | "go_on" | { setAside: WriteResult };

/** Finds what PostgreSQL refuses a batch for: by halves, down to one record, which is set aside. */
export interface Isolation {
  /** How many parts the next transaction may have. */
  partsMax(): number;
  stored(): void;
  /** The writer has rejected `batch` with `error`. Rejects as the writer does. */
  refused(error: unknown, batch: DrainedBatch): Promise<AfterRefusal>;
}

/** Of how many others it is asked whether PostgreSQL takes them: all over what waits, since refused ones come in rows. */
const LIKE_ASKED_MAX = 32;

export function createIsolation({ writer, partsAfter }: IsolationOptions): Isolation {
  let partsMax = Number.POSITIVE_INFINITY;
  /** The position behind a record that was refused although PostgreSQL takes its like. */
  let suspect = -1;

  /** Whether PostgreSQL takes another record of the same kind, or may. */
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
        // Once more, since what ailed PostgreSQL may have passed between the two.
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
