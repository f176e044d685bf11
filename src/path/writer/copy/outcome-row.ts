import type { RowId, RowText } from "./decision-row.js";

/**
 * One reported outcome as the writer thread passes it to PostgreSQL. An enum value is its position in the lists of
 * src/domain/vocabulary/vocabulary.ts. The outcome's id is not stored, because it follows from the decision's id.
 */
export interface OutcomeRow {
  /** `ws_…` */
  workspaceId: RowId;
  /** `dec_…` */
  decisionId: RowId;
  /** Position in MODES. */
  mode: number;
  /** Position in OUTCOMES. Aliases must already be normalized. */
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
  /** The one merchant that the reporter may act for, or null. */
  merchantScope: string | null;
  /** When this node received the report, in Unix milliseconds. */
  reportedAtMs: number;
  /** The reported time of a backfill in Unix milliseconds, or null. */
  createdAtMs: number | null;
}
