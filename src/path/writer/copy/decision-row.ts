import type { ByteRange } from "../../journal/decision-record.js";

/** An id: its text, or its 16 bytes, big-endian, as in the journal. */
export type RowId = string | ByteRange;

/** A text, or its UTF-8 bytes, as in the journal. It must not contain U+0000 or lone surrogates. */
export type RowText = string | ByteRange;

/**
 * One decision as the writer thread passes it to PostgreSQL. A journal record has this shape. In the journal and in the
 * database, an enum value is its position in the lists of src/domain/vocabulary/vocabulary.ts.
 */
export interface DecisionRow {
  /** `ws_…` */
  workspaceId: RowId;
  /** `dec_…`. The time in it is `created_at`. */
  decisionId: RowId;
  /** Position in MODES. */
  mode: number;
  /** Position in DECISION_MODES. */
  decisionMode: number;
  /** Position in ACTIONS. */
  action: number;
  /** Position in PAYMENT_METHODS. */
  paymentMethod: number;
  /** ISO 3166-1 alpha-2. */
  country: RowText;
  /** Position in CARD_NETWORKS. Null if the request names no card network. */
  cardNetwork: number | null;
  /** Position in RISK_BANDS. */
  riskBand: number;
  merchantId: RowText;
  orderId: RowText;
  /** Empty or null if the decision has none. */
  primaryProvider: RowText | null;
  fallbackProvider: RowText | null;
  /** ISO 4217. */
  currency: RowText;
  /** Minor units, at most 2^53 - 1. */
  amountMinor: number;
  /** Milliseconds. Rollups count two decimals. */
  latencyMs: number;
  /** The whole record as UTF-8 JSON. It is stored and returned byte for byte. */
  doc: ByteRange | Uint8Array;
}
