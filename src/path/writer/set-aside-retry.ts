import type { Pool } from "pg";
import { runCopyTransaction, type TransactionStep } from "../../platform/postgres/copy-transaction.js";
import { refusalKind } from "../../platform/postgres/refusal-kind.js";
import { sqlStateOf } from "../../platform/postgres/sql-state.js";
import { decodeBatch, noRecords } from "../journal/batch-codec.js";
import { createBatchConnections } from "./decision-writer.js";
import { toWriteBatch } from "./drained-batch.js";
import { refusalWordsOf, type RefusalWords, type SetAsideKind } from "./set-aside-queries.js";

/** What is needed of a waiting record to store it. */
export interface WaitingRecord {
  /** Hexadecimal digits. */
  setAsideId: string;
  kind: SetAsideKind;
  entry: Buffer;
}

/** `gone`: the record no longer waits, so nothing was stored. */
export type RetryResult = "stored" | "gone" | { refused: RefusalWords };

/** The SQLSTATE with which take_set_aside reports a missing record (migrations/0010_alerts_and_set_aside.sql). */
const GONE = "PJ003";

/**
 * Stores the record as the writer does, and removes it from the waiting records, in one transaction with `beside`. The
 * second of two simultaneous calls waits until the first has ended. Resolves to `refused` if PostgreSQL refuses the
 * record itself. Rejects if the server failed.
 */
export async function storeSetAside(
  pool: Pool,
  { setAsideId, kind, entry }: WaitingRecord,
  beside: readonly TransactionStep[],
): Promise<RetryResult> {
  let statement = "";
  const onConnection = createBatchConnections(pool, ({ name }) => void (statement = name));
  const records = noRecords();
  if (kind !== "kept_outcome") decodeBatch(entry, records);
  const take =
    kind === "kept_outcome"
      ? { name: "apply_outcomes", sql: `select store_kept_outcome('${setAsideId}')` }
      : { name: "take_set_aside", sql: `select take_set_aside('${setAsideId}')` };
  try {
    await onConnection(toWriteBatch(records), async (client, { steps }) => {
      await runCopyTransaction(client, [take, ...steps, ...beside], {
        onStep: (name) => void (statement = name),
      });
    });
    return "stored";
  } catch (error) {
    if (sqlStateOf(error) === GONE) return "gone";
    if (refusalKind(error) === "server") throw error;
    return { refused: { statement, ...refusalWordsOf(error) } };
  }
}
