import pg, { type Pool, type PoolClient } from "pg";
import { CostDeltaEncoder, type CostRow } from "./copy/cost-deltas.js";
import { runCopyTransaction, type TransactionStep } from "../../platform/postgres/copy-transaction.js";
import { DecisionBatchEncoder } from "./copy/decision-batch.js";
import { rowTimeMs, type DecisionRow } from "./copy/decision-row.js";
import { storeHealthGroups, type HealthGroupRow } from "./copy/health-group-queries.js";
import { OutcomeBatchEncoder } from "./copy/outcome-batch.js";
import type { OutcomeRow } from "./copy/outcome-row.js";
import {
  COUNT_RETRY_OUTCOMES,
  retriedOutcomesOf,
  RetryBatchEncoder,
  type RetriedOutcomes,
  type RetryRow,
} from "./copy/retry-batch.js";
import { RollupDeltaEncoder } from "./copy/rollup-deltas.js";
import { createRollupFolder, type FoldLimits } from "./copy/rollup-fold.js";

/**
 * `written`: the rows and the new position are committed.
 * `position_moved`: the stored position was not the one this writer knew (another drain was faster, or an earlier
 * commit succeeded although its answer was lost). Nothing of the batch was written; call `position()` and go on from there.
 */
export type WriteResult = "written" | "position_moved";

/** What one transaction stores, each list in the order of the journal. */
export interface WriteBatch {
  decisions: readonly DecisionRow[];
  /** Those of decisions that are not stored before or in this batch are kept aside. */
  outcomes: readonly OutcomeRow[];
  /** What the decisions saw, as far as it may not be stored yet. */
  healthGroups?: readonly HealthGroupRow[];
  /** Of the decisions of this batch, those with real pricing: the very ids, which are told apart by identity. */
  costs?: readonly CostRow[];
  /** And those with a previous attempt. */
  retries?: readonly RetryRow[];
}

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
  /**
   * Stores the reports that were kept aside until their decisions came, of any node. To be called after each `write`, and
   * now and then. Rejects when PostgreSQL is away.
   */
  matchKept(): Promise<KeptOutcomes>;
  /** What the call that is running is at, or the last one ended at. */
  doing(): WriterStep;
}

/** Reports that were answered 200 and whose decision is not stored. */
export interface KeptOutcomes {
  /** At most 10,000 are counted. */
  waiting: number;
  oldestSeconds: number;
}

/** `name`: the table that is filled, or the function that is called. */
export interface WriterStep {
  phase: "position" | "connection" | "partitions" | "transaction" | "fold" | "kept";
  name: string;
}

export interface DecisionWriterOptions {
  /** Names this node's journal; one writer per node. 1 to 64 of `[A-Za-z0-9_.:-]`. */
  nodeId: string;
  /** When rollups are folded; see createRollupFolder. */
  foldLimits?: FoldLimits;
  /** Of a committed batch: its outcomes of decisions that had a failed attempt before them. */
  onRetriedOutcomes?(retried: readonly RetriedOutcomes[]): void;
}

/** SQLSTATE of advance_journal in migrations/0003_decisions.sql. */
const POSITION_MOVED = "PJ001";
const NODE_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

export function createDecisionWriter(
  pool: Pool,
  { nodeId, foldLimits, onRetriedOutcomes }: DecisionWriterOptions,
): DecisionWriter {
  if (!NODE_ID.test(nodeId)) throw new RangeError("nodeId: 1 to 64 of [A-Za-z0-9_.:-]");
  const decisionEncoder = new DecisionBatchEncoder();
  const outcomeEncoder = new OutcomeBatchEncoder();
  const deltaEncoder = new RollupDeltaEncoder();
  const costEncoder = new CostDeltaEncoder();
  const retryEncoder = new RetryBatchEncoder();
  const folder = createRollupFolder(foldLimits);
  const knownMonths = new Set<number>();
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

  async function writeFrom(expected: number, batch: WriteBatch, newPosition: number): Promise<WriteResult> {
    const encoded = decisionEncoder.encode(batch.decisions, batch.costs);
    const deltas = deltaEncoder.encode(batch.decisions);
    const steps: TransactionStep[] = [
      { name: "advance_journal", sql: `select advance_journal('${nodeId}', ${expected}, ${newPosition})` },
      ...encoded.steps,
    ];
    if (deltas.rows > 0) steps.push(deltas.step);
    const costs = costEncoder.encode(batch.costs ?? []);
    const retries = retryEncoder.encode(batch.retries ?? []);
    steps.push(...costs.steps, ...retries.steps);
    if (batch.outcomes.length > 0) {
      steps.push(...outcomeEncoder.encode(batch.outcomes), COUNT_RETRY_OUTCOMES);
    }
    if (batch.healthGroups !== undefined && batch.healthGroups.length > 0) {
      steps.push(storeHealthGroups(batch.healthGroups));
    }
    const months = [...encoded.monthStartsMs, ...monthsOf(batch.outcomes)];
    let failure: Error | undefined;
    doing = { phase: "connection", name: "connect" };
    const client = await pool.connect();
    try {
      doing = { phase: "partitions", name: "ensure_decision_partitions" };
      await ensurePartitions(client, months, knownMonths);
      const answered = await runCopyTransaction(client, steps, (name) => {
        doing = { phase: "transaction", name };
      });
      known = newPosition;
      if (answered.length > 0) onRetriedOutcomes?.(answered.map(retriedOutcomesOf));
      doing = { phase: "fold", name: "fold_rollups" };
      await folder.written(client, {
        deltas: deltas.rows + costs.rows + retries.rows,
        decisions: batch.decisions.length,
        outcomes: batch.outcomes.length,
      });
      return "written";
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === POSITION_MOVED) {
        known = undefined;
        return "position_moved";
      }
      // Retention may have dropped a month we knew.
      knownMonths.clear();
      failure = error as Error;
      throw error;
    } finally {
      // A connection that failed is closed at once: nothing of the batch may be sent on it any more.
      client.release(failure);
    }
  }

  return {
    async matchKept() {
      doing = { phase: "kept", name: "match_kept_outcomes" };
      const { rows } = await pool.query<{ waiting: string; oldest_seconds: number }>({
        name: "match_kept_outcomes",
        text: "select waiting, oldest_seconds from match_kept_outcomes()",
      });
      return { waiting: Number(rows[0]?.waiting), oldestSeconds: rows[0]?.oldest_seconds ?? 0 };
    },
    async position() {
      return (known = await storedPosition());
    },
    async write(batch, newPosition) {
      if (!Number.isSafeInteger(newPosition)) throw new RangeError("newPosition must be a safe integer");
      if (known === undefined) {
        if ((await storedPosition()) !== 0) return "position_moved";
        known = 0;
      }
      if (newPosition <= known) return "position_moved";
      return writeFrom(known, batch, newPosition);
    },
    doing: () => doing,
  };
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

/** Outcomes are stored beside their decisions, whose months may be those of a backfill. */
function monthsOf(outcomes: readonly OutcomeRow[]): number[] {
  const starts = new Set<number>();
  for (const { decisionId } of outcomes) {
    const date = new Date(rowTimeMs(decisionId));
    starts.add(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()));
  }
  return [...starts];
}
