import type { Pool, PoolClient } from "pg";
import { runCopyTransaction } from "../../platform/postgres/copy-transaction.js";
import { refusalKind } from "../../platform/postgres/refusal-kind.js";
import { createBatchConnections, isMoved, type WriterStep } from "./batch-connections.js";
import type { WriteBatch } from "./copy/batch-steps.js";
import { retriedOutcomesOf, type RetriedOutcomes } from "./copy/retry-batch.js";
import { createRollupFolder, type FoldLimits } from "./copy/rollup-fold.js";
import {
  matchKeptOutcomes,
  setRecordAside,
  type KeptOutcomes,
  type RefusedRecord,
} from "./set-aside-queries.js";

/**
 * `written`: the rows and the new position are committed.
 * `position_moved`: the stored position was not the one this writer knew (another drain was faster, or an earlier
 * commit succeeded although its answer was lost). Nothing of the batch was written; call `position()` and go on from there.
 */
export type WriteResult = "written" | "position_moved";

export interface DecisionWriter {
  /** The position up to which this node's journal is in PostgreSQL; 0 for a node never seen, which it registers. */
  position(): Promise<number>;
  /**
   * Writes `batch`, counts it in the rollups and moves the position to `newPosition` (above the known one) in one transaction and one round trip.
   * The batch starts where the last `position()` or `write` ended; a writer that was never asked for its position starts at 0.
   * Rejects when PostgreSQL is away or refuses: it is then unknown whether the commit happened, and repeating the same
   * call finds out. An empty batch only moves the position. One call at a time.
   */
  write(batch: WriteBatch, newPosition: number): Promise<WriteResult>;
  /** Whether PostgreSQL would store `batch` now: it is tried, and rolled back. Rejects as `write`. */
  takes(batch: WriteBatch): Promise<void>;
  /** As `write`, of one record that PostgreSQL refuses: what is stored is that it waits. */
  setAside(record: RefusedRecord, newPosition: number): Promise<WriteResult>;
  /**
   * Stores the reports that were kept aside until their decisions came, of any node. To be called after each `write`, and
   * now and then. Rejects when PostgreSQL is away.
   */
  matchKept(): Promise<KeptOutcomes>;
  /** What the call that is running is at, or the last one ended at. */
  doing(): WriterStep;
}

export interface DecisionWriterOptions {
  /** Names this node's journal; one writer per node. 1 to 64 of `[A-Za-z0-9_.:-]`. */
  nodeId: string;
  /** When rollups are folded; see createRollupFolder. */
  foldLimits?: FoldLimits;
  /** The rows of a batch are committed and counted, and cannot be added up; the counts stay right, and slower to read. */
  onFoldRefused?(error: Error): void;
  /** Of a committed batch: its outcomes of decisions that had a failed attempt before them. */
  onRetriedOutcomes?(retried: readonly RetriedOutcomes[]): void;
}

const NODE_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

export function createDecisionWriter(
  pool: Pool,
  { nodeId, foldLimits, onRetriedOutcomes, onFoldRefused }: DecisionWriterOptions,
): DecisionWriter {
  if (!NODE_ID.test(nodeId)) throw new RangeError("nodeId: 1 to 64 of [A-Za-z0-9_.:-]");
  const onConnection = createBatchConnections(pool, (step) => void (doing = step));
  const folder = createRollupFolder(foldLimits);
  /** Where the next batch starts. Undefined: nobody asked yet, or the position moved without us. */
  let known: number | undefined;
  let doing: WriterStep = { phase: "position", name: "journal_positions" };

  async function storedPosition(): Promise<number> {
    doing = { phase: "position", name: "journal_positions" };
    // Waits for the row lock: a transaction of ours whose connection broke may still be committing.
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
      // The batch is committed: what cannot be added up must not keep the next ones from being stored.
      if (refusalKind(error) === "server") throw error;
      onFoldRefused?.(error as Error);
    }
  }

  async function writeFrom(expected: number, batch: WriteBatch, newPosition: number): Promise<void> {
    await onConnection(batch, async (client, { steps, deltas }) => {
      const advance = {
        name: "advance_journal",
        sql: `select advance_journal('${nodeId}', ${expected}, ${newPosition})`,
      };
      const answered = await runCopyTransaction(client, [advance, ...steps], { onStep });
      known = newPosition;
      if (answered.length > 0) onRetriedOutcomes?.(answered.map(retriedOutcomesOf));
      await fold(client, batch, deltas);
    });
  }

  /** `store` moves the position from the known one to `newPosition`. */
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
