import pg, { type Pool, type PoolClient } from "pg";
import { createBatchStepsEncoder, type EncodedWriteBatch, type WriteBatch } from "./copy/batch-steps.js";

/** `name`: the table that is filled, or the function that is called. */
export interface WriterStep {
  phase: "position" | "connection" | "partitions" | "transaction" | "fold" | "set_aside" | "kept";
  name: string;
}

/** SQLSTATE of advance_journal in migrations/0003_nodes.sql. */
const POSITION_MOVED = "PJ001";

/** Runs `work` with what stores `batch`, on a connection and with the tables that it needs. */
export type OnBatchConnection = (
  batch: WriteBatch,
  work: (client: PoolClient, encoded: EncodedWriteBatch) => Promise<void>,
) => Promise<void>;

/** One batch at a time. `onDoing` hears what is done before `work`. */
export function createBatchConnections(pool: Pool, onDoing: (step: WriterStep) => void): OnBatchConnection {
  const encoder = createBatchStepsEncoder();
  const knownMonths = new Set<number>();
  return async (batch, work) => {
    const encoded = encoder.encode(batch);
    let failure: Error | undefined;
    onDoing({ phase: "connection", name: "connect" });
    const client = await pool.connect();
    try {
      onDoing({ phase: "partitions", name: "ensure_decision_partitions" });
      await ensurePartitions(client, encoded.monthStartsMs, knownMonths);
      await work(client, encoded);
    } catch (error) {
      if (!isMoved(error)) {
        // Retention may have dropped a month we knew.
        knownMonths.clear();
        failure = error as Error;
      }
      throw error;
    } finally {
      // A connection that failed is closed at once: nothing of the batch may be sent on it any more.
      client.release(failure);
    }
  };
}

/** Another drain was faster, or an earlier commit succeeded although its answer was lost. */
export function isMoved(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === POSITION_MOVED;
}

/** The months of the batch and, so that a month's first batch finds its tables made, each one's successor. */
async function ensurePartitions(
  client: PoolClient,
  monthStartsMs: readonly number[],
  known: Set<number>,
): Promise<void> {
  const missing = monthStartsMs.filter((startMs) => !known.has(startMs));
  if (missing.length === 0) return;
  await client.query(
    `select ensure_decision_partitions(to_timestamp(start_ms / 1000.0) + ahead)
     from unnest($1::bigint[]) as start_ms, unnest(array[interval '0', interval '32 days']) as ahead order by ahead`,
    [missing],
  );
  for (const startMs of missing) known.add(startMs);
}
