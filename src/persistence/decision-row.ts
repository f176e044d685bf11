/**
 * One decision as the writer thread hands it to PostgreSQL. Enum values travel as their position in the lists of
 * src/shared/vocabulary.ts, which is how the journal and the database both store them.
 */
export interface DecisionRow {
  /** `ws_…` */
  workspaceId: string;
  /** `dec_…`; its time is `created_at`. */
  decisionId: string;
  /** Position in MODES. */
  mode: number;
  /** Position in DECISION_MODES. */
  decisionMode: number;
  /** Position in ACTIONS. */
  action: number;
  /** Position in RISK_BANDS. */
  riskBand: number;
  merchantId: string;
  /** Any characters but U+0000 and lone surrogates. */
  orderId: string;
  /** Null when the decision has no route. */
  primaryProvider: string | null;
  fallbackProvider: string | null;
  /** ISO 4217. */
  currency: string;
  /** Minor units, at most 2^53 - 1. */
  amountMinor: number;
  /** The whole record as UTF-8 JSON; stored and returned byte for byte. */
  doc: Uint8Array;
}
