import { OUTCOMES, type Outcome } from "../../../domain/vocabulary/vocabulary.js";
import {
  type AnsweredRow,
  type TransactionStep,
  CopyBuffer,
} from "../../../platform/postgres/copy-transaction.js";
import type { EncodedRows } from "./cost-deltas.js";
import { weekOf } from "./decision-week.js";
import { rowTimeMs } from "./decision-batch.js";
import { HOUR_MS } from "./rollup-columns.js";

/** A decision that followed a failed attempt. */
export interface RetryRow {
  /** `ws_…` */
  workspaceId: string;
  /** `dec_…` */
  decisionId: string;
  /** Position in MODES. */
  mode: number;
  failedProvider: string;
  /** Position in OUTCOMES. */
  failedOutcome: number;
  code?: string;
  /** At least 1. */
  attempt?: number;
}

/**
 * Counts the outcomes of retries. Run it after the statement that stores outcomes
 * (migrations/0007_costs_and_retries.sql).
 */
export const COUNT_RETRY_OUTCOMES: TransactionStep = {
  name: "count_retry_outcomes",
  sql: "select failed_provider, failed_outcome, same_provider, approved, counted from count_retry_outcomes()",
};

/** A number of equal outcomes of decisions that followed a failed attempt. */
export interface RetriedOutcomes {
  failedProvider: string;
  failedOutcome: Outcome;
  /** True if the provider that executed the payment is the one that had failed. */
  sameProvider: boolean;
  approved: boolean;
  outcomes: number;
}

/** Converts a row that COUNT_RETRY_OUTCOMES returns. */
export function retriedOutcomesOf([
  provider,
  outcome,
  same,
  approved,
  counted,
]: AnsweredRow): RetriedOutcomes {
  return {
    failedProvider: provider as string,
    failedOutcome: OUTCOMES[Number(outcome)] as Outcome,
    sameProvider: same === "t",
    approved: approved === "t",
    outcomes: Number(counted),
  };
}

const ROW_BYTES_MAX = 2 * 20 + 5 * 8 + 4;

/**
 * Encodes COPY bytes for two tables: retried_decisions, by which an outcome finds the failure that it recovers, and the
 * counts of these decisions. The bytes belong to the encoder, and its next call overwrites them.
 */
export class RetryBatchEncoder {
  #decisions = new CopyBuffer(1 << 12);
  #deltas = new CopyBuffer(1 << 12);

  encode(rows: readonly RetryRow[]): EncodedRows {
    const weeks = new Map<string, CopyBuffer>();
    const counts = new Map<string, { first: RetryRow; hour: number; decisions: number }>();
    for (const row of rows) {
      const timeMs = rowTimeMs(row.decisionId);
      writeDecision(this.#weekOf(timeMs, weeks), row);
      const hour = Math.floor(timeMs / HOUR_MS);
      const key = [row.workspaceId, row.mode, hour, row.failedProvider, row.failedOutcome].join(" ");
      const counted = counts.get(key);
      if (counted === undefined) counts.set(key, { first: row, hour, decisions: 1 });
      else counted.decisions++;
    }
    this.#deltas.begin();
    for (const { first, hour, decisions } of counts.values()) {
      this.#deltas.row(6, ROW_BYTES_MAX + 3 * first.failedProvider.length);
      this.#deltas.id(first.workspaceId);
      this.#deltas.int2(first.mode);
      this.#deltas.int4(hour);
      this.#deltas.text(first.failedProvider);
      this.#deltas.int2(first.failedOutcome);
      this.#deltas.int4(decisions);
    }
    return {
      steps: [
        ...Array.from(weeks, ([suffix, decisions]) => ({
          name: `retried_decisions_${suffix}`,
          sql: `copy retried_decisions_${suffix} (workspace_id, mode, decision_id, failed_provider, failed_outcome, code, attempt) from stdin (format binary)`,
          copyBytes: decisions.end(),
        })),
        {
          name: "rollup_retry_deltas",
          sql: "copy rollup_retry_deltas_rows (workspace_id, mode, hour, provider, outcome, decisions) from stdin (format binary)",
          copyBytes: this.#deltas.end(),
        },
      ],
      rows: counts.size,
    };
  }

  /** The COPY bytes for a week's partition. Nearly every batch has only one week, whose memory is reused. */
  #weekOf(timeMs: number, weeks: Map<string, CopyBuffer>): CopyBuffer {
    const { suffix } = weekOf(timeMs);
    let decisions = weeks.get(suffix);
    if (decisions === undefined) {
      decisions = weeks.size === 0 ? this.#decisions : new CopyBuffer(1 << 12);
      decisions.begin();
      weeks.set(suffix, decisions);
    }
    return decisions;
  }
}

function writeDecision(copy: CopyBuffer, row: RetryRow): void {
  copy.row(7, ROW_BYTES_MAX + 3 * (row.failedProvider.length + (row.code?.length ?? 0)));
  copy.id(row.workspaceId);
  copy.int2(row.mode);
  copy.id(row.decisionId);
  copy.text(row.failedProvider);
  copy.int2(row.failedOutcome);
  if (row.code === undefined) copy.null();
  else copy.text(row.code);
  if (row.attempt === undefined) copy.null();
  else copy.int2(row.attempt);
}
