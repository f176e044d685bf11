import type { TransactionStep } from "../../../platform/postgres/copy-transaction.js";
import { CostDeltaEncoder, type CostRow } from "./cost-deltas.js";
import { DecisionBatchEncoder } from "./decision-batch.js";
import { rowTimeMs, type DecisionRow } from "./decision-row.js";
import { storeHealthGroups, type HealthGroupRow } from "./health-group-queries.js";
import { OutcomeBatchEncoder } from "./outcome-batch.js";
import type { OutcomeRow } from "./outcome-row.js";
import { COUNT_RETRY_OUTCOMES, RetryBatchEncoder, type RetryRow } from "./retry-batch.js";
import { RollupDeltaEncoder } from "./rollup-deltas.js";

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

export interface EncodedWriteBatch {
  steps: TransactionStep[];
  /** Rows that are appended to the tables of deltas, which a fold removes. */
  deltas: number;
  /** A moment in each month whose partitions must exist. */
  monthStartsMs: number[];
}

/** Turns a batch into the statements that store and count it. Their bytes are the encoder's own, valid until its next call. */
export function createBatchStepsEncoder(): { encode(batch: WriteBatch): EncodedWriteBatch } {
  const decisionEncoder = new DecisionBatchEncoder();
  const outcomeEncoder = new OutcomeBatchEncoder();
  const deltaEncoder = new RollupDeltaEncoder();
  const costEncoder = new CostDeltaEncoder();
  const retryEncoder = new RetryBatchEncoder();
  return {
    encode(batch) {
      const encoded = decisionEncoder.encode(batch.decisions, batch.costs);
      const deltas = deltaEncoder.encode(batch.decisions);
      const steps: TransactionStep[] = [...encoded.steps];
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
      return {
        steps,
        deltas: deltas.rows + costs.rows + retries.rows,
        monthStartsMs: [...encoded.monthStartsMs, ...monthsOf(batch.outcomes)],
      };
    },
  };
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
