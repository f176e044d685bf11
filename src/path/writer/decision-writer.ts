import type { Pool, PoolClient } from "pg";
import { runCopyTransaction } from "../../platform/postgres/copy-transaction.js";
import { refusalKind } from "../../platform/postgres/refusal-kind.js";
import { createBatchConnections, createErasedFilter, isMoved, type WriterStep } from "./batch-connections.js";
import type { WriteBatch } from "./copy/batch-steps.js";
import { noteBatch } from "./copy/noted-batch.js";
import { retriedOutcomesOf, type RetriedOutcomes } from "./copy/retry-batch.js";
import { createRollupFolder, type FoldLimits } from "./copy/rollup-fold.js";
import {
  matchKeptOutcomes,
  setRecordAside,
  type KeptOutcomes,
  type RefusedRecord,
} from "./set-aside-queries.js";

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
