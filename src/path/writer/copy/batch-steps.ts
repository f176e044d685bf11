import { ACTIONS, DECISION_MODES } from "../../../domain/vocabulary/vocabulary.js";
import type { TransactionStep } from "../../../platform/postgres/copy-transaction.js";
import { storeAttempts, type AttemptRow } from "./attempt-steps.js";
import { CostDeltaEncoder, type CostRow } from "./cost-deltas.js";
import { DecisionBatchEncoder, type SegmentName } from "./decision-batch.js";
import type { DecisionRow } from "./decision-row.js";
import { tellOfHeld } from "./held-step.js";
import { storeHealthGroups, type HealthGroupRow } from "./health-group-queries.js";
import { OutcomeBatchEncoder } from "./outcome-batch.js";
import type { OutcomeRow } from "./outcome-row.js";
import { COUNT_RETRY_OUTCOMES, RetryBatchEncoder, type RetryRow } from "./retry-batch.js";
import { RollupDeltaEncoder } from "./rollup-deltas.js";
import { FacetDeltaEncoder } from "./facet-deltas.js";

/** The records that one transaction stores. Each list is in the order of the journal. */
export interface WriteBatch {
  decisions: readonly DecisionRow[];
  /** The outcomes. If an outcome's decision is neither stored nor in this batch, it waits in a separate table. */
  outcomes: readonly OutcomeRow[];
  /** The health groups that the decisions used and that PostgreSQL may lack. */
  healthGroups?: readonly HealthGroupRow[];
  /** The costs of the batch's decisions with real pricing. Their ids must be the same objects as the decisions' ids. */
  costs?: readonly CostRow[];
  /** The retries, which are the batch's decisions with a previous attempt. */
  retries?: readonly RetryRow[];
  /** The batch's decisions that count as attempts because a policy counts them. */
  attempts?: readonly AttemptRow[];
}

export interface EncodedWriteBatch {
  steps: TransactionStep[];
  segments: readonly SegmentName[];
  /** The number of rows that the batch appends to the delta tables. A fold removes them. */
  deltas: number;
  /**
   * One moment in each week whose partitions must exist. Outcomes need none: their decisions' partitions exist already.
   */
  weekStartsMs: number[];
}

/**
 * Turns a batch into the statements that store and count it. The bytes belong to the encoder, and its next call
 * overwrites them.
 */
export function createBatchStepsEncoder(): { encode(batch: WriteBatch): EncodedWriteBatch } {
  const decisionEncoder = new DecisionBatchEncoder();
  const outcomeEncoder = new OutcomeBatchEncoder();
  const deltaEncoder = new RollupDeltaEncoder();
  const facetEncoder = new FacetDeltaEncoder();
  const costEncoder = new CostDeltaEncoder();
  const retryEncoder = new RetryBatchEncoder();
  return {
    encode(batch) {
      const encoded = decisionEncoder.encode(batch.decisions, batch.costs);
      const deltas = deltaEncoder.encode(batch.decisions);
      const steps: TransactionStep[] = [...encoded.steps];
      if (deltas.rows > 0) steps.push(deltas.step, facetEncoder.encode(batch.decisions));
      const costs = costEncoder.encode(batch.costs ?? []);
      const retries = retryEncoder.encode(batch.retries ?? []);
      steps.push(...costs.steps, ...retries.steps);
      if (batch.outcomes.length > 0) {
        steps.push(...outcomeEncoder.encode(batch.outcomes), COUNT_RETRY_OUTCOMES);
      }
      if (batch.healthGroups !== undefined && batch.healthGroups.length > 0) {
        steps.push(storeHealthGroups(batch.healthGroups));
      }
      if (batch.attempts !== undefined && batch.attempts.length > 0)
        steps.push(storeAttempts(batch.attempts));
      const held = batch.decisions.filter(isHeld);
      if (held.length > 0) steps.push(tellOfHeld(held));
      return {
        steps,
        segments: encoded.segments,
        deltas: deltas.rows + costs.rows + retries.rows,
        weekStartsMs: encoded.weekStartsMs,
      };
    },
  };
}

const HOLD = ACTIONS.indexOf("hold");
const ENFORCE = DECISION_MODES.indexOf("enforce");

/** True if the decision waits for a review. */
function isHeld({ action, decisionMode }: DecisionRow): boolean {
  return action === HOLD && decisionMode === ENFORCE;
}
