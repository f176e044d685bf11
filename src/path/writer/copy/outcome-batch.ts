import { type TransactionStep, CopyBuffer } from "../../../platform/postgres/copy-transaction.js";
import type { OutcomeRow } from "./outcome-row.js";

const COLUMNS = `position, workspace_id, decision_id, amount_minor, reported_at_ms, created_at_ms, provider_latency_ms,
  mode, outcome, technical_failure_type, order_id, provider_used, provider_reason_code, currency, merchant_scope`;
const COLUMN_COUNT = 15;
/** One integer, two uuids, four bigints, three smallints and five text lengths. */
const FIXED_BYTES = 8 + 2 * 20 + 4 * 12 + 3 * 6 + 5 * 4;

/** Turns reported outcomes into the statements that stage and apply them (migrations/0005_outcomes.sql). */
export class OutcomeBatchEncoder {
  #copy = new CopyBuffer(1 << 16);

  /**
   * Encodes the outcomes in the order of the reports. The bytes belong to the encoder, and its next call overwrites
   * them.
   */
  encode(rows: readonly OutcomeRow[]): TransactionStep[] {
    this.#copy.begin();
    for (const [position, row] of rows.entries()) writeRow(this.#copy, position, row);
    return [
      { name: "stage_outcomes", sql: "select stage_outcomes()" },
      {
        name: "staged_outcomes",
        sql: `copy pg_temp.staged_outcomes (${COLUMNS}) from stdin (format binary)`,
        copyBytes: this.#copy.end(),
      },
      { name: "apply_outcomes", sql: "select apply_outcomes()" },
    ];
  }
}

function writeRow(copy: CopyBuffer, position: number, row: OutcomeRow): void {
  const { orderId, providerUsed, providerReasonCode, currency, merchantScope } = row;
  const textUnits =
    orderId.length +
    providerUsed.length +
    (providerReasonCode?.length ?? 0) +
    currency.length +
    (merchantScope?.length ?? 0);
  copy.row(COLUMN_COUNT, FIXED_BYTES + 3 * textUnits);
  copy.int4(position);
  copy.id(row.workspaceId);
  copy.id(row.decisionId);
  copy.int8(row.amountMinor);
  copy.int8(row.reportedAtMs);
  if (row.createdAtMs === null) copy.null();
  else copy.int8(row.createdAtMs);
  copy.int8(row.providerLatencyMs);
  copy.int2(row.mode);
  copy.int2(row.outcome);
  if (row.technicalFailureType === null) copy.null();
  else copy.int2(row.technicalFailureType);
  copy.text(orderId);
  copy.text(providerUsed);
  if (providerReasonCode === null) copy.null();
  else copy.text(providerReasonCode);
  copy.text(currency);
  if (merchantScope === null) copy.null();
  else copy.text(merchantScope);
}
