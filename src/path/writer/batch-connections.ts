import pg, { type Pool, type PoolClient } from "pg";
import { createBatchStepsEncoder, type EncodedWriteBatch, type WriteBatch } from "./copy/batch-steps.js";

/** What the writer is doing. `name` is the table that is filled or the function that is called. */
export interface WriterStep {
  phase: "position" | "connection" | "partitions" | "transaction" | "fold" | "set_aside" | "kept";
  name: string;
}

/** The SQLSTATE with which advance_journal reports a moved position (migrations/0003_nodes.sql). */
const POSITION_MOVED = "PJ001";

/** The SQLSTATE with which advance_journal reports an unknown erasure (migrations/0024_retention.sql). */
const ERASURE_UNKNOWN = "PJ004";

/** RET-22: the erasures that the writer knows. */
export interface KnownErasures {
  /** The number of the newest known erasure. 0 if there is none. */
  known: number;
  /** Returns the batch without the records of erased owners. */
  without(batch: WriteBatch): WriteBatch;
}

/** Encodes `batch`, creates missing partitions, and runs `work` with a connection and the encoded statements. */
export type OnBatchConnection = (
  batch: WriteBatch,
  work: (client: PoolClient, encoded: EncodedWriteBatch) => Promise<void>,
) => Promise<void>;

/** Handles one batch at a time. `onDoing` receives the steps that come before `work`. */
export function createBatchConnections(pool: Pool, onDoing: (step: WriterStep) => void): OnBatchConnection {
  const encoder = createBatchStepsEncoder();
  const knownWeeks = new Set<number>();
  return async (batch, work) => {
    const encoded = encoder.encode(batch);
    let failure: Error | undefined;
    onDoing({ phase: "connection", name: "connect" });
    const client = await pool.connect();
    try {
      onDoing({ phase: "partitions", name: "ensure_decision_partitions" });
      await ensurePartitions(client, encoded.weekStartsMs, knownWeeks);
      await work(client, encoded);
    } catch (error) {
      if (!isMoved(error)) {
        // Retention may have dropped the partition of a known week.
        knownWeeks.clear();
        failure = error as Error;
      }
      throw error;
    } finally {
      // A connection that failed is closed at once, because nothing more of the batch may be sent on it.
      client.release(failure);
    }
  };
}

/** True if another drain was faster, or if an earlier commit succeeded but its answer was lost. */
export function isMoved(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === POSITION_MOVED;
}

/**
 * RET-22: removes the records of erased owners from batches. PostgreSQL refuses a batch if the writer does not know the
 * newest erasure, so the writer need not look it up for each batch. The module that filters is loaded only if
 * PostgreSQL has erasures.
 */
export function createErasedFilter(pool: Pool) {
  let erasures: KnownErasures = { known: 0, without: (batch) => batch };
  /**
   * Calls `write` with the remaining batch. If PostgreSQL reports an unknown erasure, it reads all erasures and calls
   * `write` again.
   */
  return async (
    batch: WriteBatch,
    write: (kept: WriteBatch, knownErasures: number) => Promise<void>,
  ): Promise<void> => {
    for (;;) {
      try {
        return await write(erasures.without(batch), erasures.known);
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || error.code !== ERASURE_UNKNOWN) throw error;
      }
      const { readErased } = await import("./erased.js");
      erasures = await readErased(pool);
    }
  };
}

/**
 * Creates the partitions for the batch's weeks and for the week after each, so that a new week's first batch finds its
 * tables.
 */
async function ensurePartitions(
  client: PoolClient,
  weekStartsMs: readonly number[],
  known: Set<number>,
): Promise<void> {
  const missing = weekStartsMs.filter((startMs) => !known.has(startMs));
  if (missing.length === 0) return;
  await client.query(
    `select ensure_decision_partitions(to_timestamp(start_ms / 1000.0) + ahead)
     from unnest($1::bigint[]) as start_ms, unnest(array[interval '0', interval '7 days']) as ahead order by ahead`,
    [missing],
  );
  for (const startMs of missing) known.add(startMs);
}
