import type { ProviderId } from "../vocabulary/decision-request.js";
import type { Mode, Outcome, TechnicalFailureType } from "../vocabulary/vocabulary.js";

/** A reported outcome in normal form, as it is journalled and stored. */
export interface ReportedOutcome {
  /** `dec_…` */
  decisionId: string;
  orderId: string;
  providerUsed: ProviderId;
  outcome: Outcome;
  technicalFailureType: TechnicalFailureType | null;
  providerLatencyMs: number;
  providerReasonCode: string | null;
  /** Minor units, as reported. */
  amountMinor: number;
  /** ISO 4217, as reported. */
  currency: string;
  /** A backfill's `created_at` in Unix milliseconds, or null. */
  createdAtMs: number | null;
}

/** The caller who reports an outcome. */
export interface OutcomeCaller {
  workspaceId: string;
  mode: Mode;
  /** The one merchant that the key may act for, or null. */
  merchantScope: string | null;
}

/**
 * OUT-9: an outcome keeps its id across upserts. A decision has at most one outcome, so the outcome's id is made from
 * the decision's id.
 */
export function outcomeIdOf(decisionId: string): string {
  return `out_${decisionId.slice("dec_".length)}`;
}
