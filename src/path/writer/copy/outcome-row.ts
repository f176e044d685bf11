import type { RowId, RowText } from "./decision-row.js";

/**
 * One reported outcome as the writer thread passes it to PostgreSQL. An enum value is its position in the lists of
 * src/domain/vocabulary/vocabulary.ts. The outcome_id is `out_` and the text of the decision's id; it is not stored.
 */
export interface OutcomeRow {
  /** `ws_…` */
  workspaceId: RowId;
  /** `dec_…` */
  decisionId: RowId;
  /** Position in MODES. */
  mode: number;
  /** Position in OUTCOMES; legacy aliases are normalized already. */
  outcome: number;
  /** Position in TECHNICAL_FAILURE_TYPES. */
  technicalFailureType: number | null;
  orderId: RowText;
  providerUsed: RowText;
  /** Milliseconds, at least 0, at most 2^53 - 1. */
  providerLatencyMs: number;
  providerReasonCode: RowText | null;
  /** Minor units, as reported. */
  amountMinor: number;
  currency: RowText;
  /** The one merchant that the reporter may act for. */
  merchantScope: string | null;
  /** Unix milliseconds: when this node received the report. */
  reportedAtMs: number;
  /** Unix milliseconds, as reported, for backfills. */
  createdAtMs: number | null;
}
