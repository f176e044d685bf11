import pg, { type Pool, type PoolClient } from "pg";
import { runCopyTransaction } from "../../platform/postgres/copy-transaction.js";
import { refusalKind, refusalClasses } from "../../platform/postgres/refusal-kind.js";
import {
  type WriteBatch,
  createBatchStepsEncoder,
  type EncodedWriteBatch,
  createRollupFolder,
  type FoldLimits,
} from "./copy/batch-steps.js";
import { noteBatch } from "./copy/noted-batch.js";
import { retriedOutcomesOf, type RetriedOutcomes } from "./copy/retry-batch.js";
import { setRecordAside, type KeptOutcomes, type RefusedRecord } from "./set-aside-queries.js";

/**
 * - `written`: the rows and the new position are committed.
 * - `position_moved`: another drain was faster, or an earlier commit succeeded but its answer was lost. Nothing of the
 *   batch was written. Call `position()` and continue from there.
 */
export type WriteResult = "written" | "position_moved";

export interface DecisionWriter {
  /**
   * Reads the position up to which PostgreSQL has this node's journal. An unknown node is registered with position 0.
   */
  position(): Promise<number>;
  /**
   * Writes `batch`, counts it in the rollups and moves the position to `newPosition`, which must be above the current
   * one. All of it is one transaction and one round trip. The batch must start where the last `position()` or `write`
   * ended, or at 0 before the first call. An empty batch only moves the position. Rejects if PostgreSQL is away or
   * refuses. The commit may still have happened: repeat the call to find out. Only one call may run at a time.
   */
  write(batch: WriteBatch, newPosition: number): Promise<WriteResult>;
  /** Tests whether PostgreSQL would store `batch` now, by storing it and rolling back. Rejects as `write` does. */
  takes(batch: WriteBatch): Promise<void>;
  /** Sets one refused record aside and moves the position, as `write` does. */
  setAside(record: RefusedRecord, newPosition: number): Promise<WriteResult>;
  /**
   * Stores the waiting reports, of any node, whose decisions have arrived. Call it after each `write`, and at
   * intervals. Rejects while PostgreSQL is away.
   */
  matchKept(): Promise<KeptOutcomes>;
  /** The step of the running call, or else the last step of the last call. */
  doing(): WriterStep;
}

export interface DecisionWriterOptions {
  /** This node's id, which names its journal. A node must have only one writer. 1 to 64 of `[A-Za-z0-9_.:-]`. */
  nodeId: string;
  /** The amounts of deltas after which rollups are folded; see createRollupFolder. */
  foldLimits?: FoldLimits;
  /** CH-2: true if each batch is noted for the log's copy in ClickHouse. */
  notesBatches?: boolean;
  /** Called if the deltas of a committed batch cannot be folded. Counts stay right, but reading them takes longer. */
  onFoldRefused?(error: Error): void;
  /** Receives those outcomes of a committed batch that belong to retries. */
  onRetriedOutcomes?(retried: readonly RetriedOutcomes[]): void;
}

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
function isMoved(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === POSITION_MOVED;
}

/**
 * RET-22: removes the records of erased owners from batches. PostgreSQL refuses a batch if the writer does not know the
 * newest erasure, so the writer need not look it up for each batch. The module that filters is loaded only if
 * PostgreSQL has erasures.
 */
function createErasedFilter(pool: Pool) {
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

const NODE_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

export function createDecisionWriter(
  pool: Pool,
  { nodeId, foldLimits, notesBatches = false, onRetriedOutcomes, onFoldRefused }: DecisionWriterOptions,
): DecisionWriter {
  if (!NODE_ID.test(nodeId)) throw new RangeError("nodeId: 1 to 64 of [A-Za-z0-9_.:-]");
  const onConnection = createBatchConnections(pool, (step) => void (doing = step));
  const folder = createRollupFolder(foldLimits);
  const withoutErased = createErasedFilter(pool);
  /** The position at which the next batch starts. Undefined if it was never read, or if another process moved it. */
  let known: number | undefined;
  let doing: WriterStep = { phase: "position", name: "journal_positions" };

  async function storedPosition(): Promise<number> {
    doing = { phase: "position", name: "journal_positions" };
    // Waits for the row's lock, because a transaction of a broken connection may still be committing.
    const { rows } = await pool.query<{ position: string }>(
      `insert into journal_positions (node_id) values ($1)
       on conflict (node_id) do update set updated_at = now() returning position`,
      [nodeId],
    );
    return Number(rows[0]?.position);
  }

  const onStep = (name: string): void => void (doing = { phase: "transaction", name });

  async function fold(client: PoolClient, batch: WriteBatch, deltas: number): Promise<void> {
    doing = { phase: "fold", name: "fold_rollups" };
    try {
      await folder.written(client, {
        deltas,
        decisions: batch.decisions.length,
        outcomes: batch.outcomes.length,
      });
    } catch (error) {
      // The batch is committed, so a failed fold must not prevent that the next batches are stored.
      if (refusalKind(error) === "server") throw error;
      onFoldRefused?.(error as Error);
    }
  }

  const writeFrom = (expected: number, given: WriteBatch, newPosition: number): Promise<void> =>
    withoutErased(given, (batch, erasures) =>
      onConnection(batch, async (client, { steps, segments, deltas }) => {
        const position = `${expected}, ${newPosition}`;
        const advance = {
          name: "advance_journal",
          sql: `select advance_journal('${nodeId}', ${position}, ${erasures})`,
        };
        const notes = notesBatches && batch.decisions.length + batch.outcomes.length > 0;
        const noted = notes ? [noteBatch(nodeId, newPosition, batch, segments)] : [];
        const answered = await runCopyTransaction(client, [advance, ...steps, ...noted], { onStep });
        known = newPosition;
        if (answered.length > 0) onRetriedOutcomes?.(answered.map(retriedOutcomesOf));
        await fold(client, batch, deltas);
      }),
    );

  /** Runs `store`, which must move the position from the known one to `newPosition`. */
  async function moving(
    newPosition: number,
    store: (expected: number) => Promise<void>,
  ): Promise<WriteResult> {
    if (!Number.isSafeInteger(newPosition)) throw new RangeError("newPosition must be a safe integer");
    if (known === undefined) {
      if ((await storedPosition()) !== 0) return "position_moved";
      known = 0;
    }
    if (newPosition <= known) return "position_moved";
    try {
      await store(known);
      known = newPosition;
      return "written";
    } catch (error) {
      if (!isMoved(error)) throw error;
      known = undefined;
      return "position_moved";
    }
  }

  return {
    async matchKept() {
      doing = { phase: "kept", name: "match_kept_outcomes" };
      return matchKeptOutcomes(pool);
    },
    async position() {
      return (known = await storedPosition());
    },
    write: (batch, newPosition) => moving(newPosition, (expected) => writeFrom(expected, batch, newPosition)),
    async takes(batch) {
      await onConnection(batch, async (client, { steps }) => {
        await runCopyTransaction(client, steps, { onStep, end: "rollback" });
      });
    },
    setAside(record, newPosition) {
      doing = { phase: "set_aside", name: "set_aside" };
      return moving(newPosition, (expected) => setRecordAside(pool, nodeId, record, [expected, newPosition]));
    },
    doing: () => doing,
  };
}

const ROW_CLASSES = refusalClasses("row");
const SERVER_CLASSES = refusalClasses("server");

/** Stores the waiting reports whose decisions have arrived. Sets aside the reports that PostgreSQL refuses. */
export async function matchKeptOutcomes(pool: Pool): Promise<KeptOutcomes> {
  const { rows } = await pool.query<{ waiting: string; oldest_seconds: number; set_aside: string }>({
    name: "match_kept_outcomes",
    text: `select waiting, oldest_seconds, (select count(*) from (select from set_aside limit 10000) counted) as set_aside
           from match_kept_outcomes($1, $2)`,
    values: [ROW_CLASSES, SERVER_CLASSES],
  });
  return {
    waiting: Number(rows[0]?.waiting),
    oldestSeconds: rows[0]?.oldest_seconds ?? 0,
    setAside: Number(rows[0]?.set_aside),
  };
}
