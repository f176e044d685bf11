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
  /** `created_at` of a backfill, Unix milliseconds, or null. */
  createdAtMs: number | null;
}

/** Who reports. */
export interface OutcomeCaller {
  workspaceId: string;
  mode: Mode;
  /** The one merchant the key may act for, or null. */
  merchantScope: string | null;
}

/** OUT-9: an outcome keeps its id across upserts; one decision has at most one, so the id is the decision's own. */
export function outcomeIdOf(decisionId: string): string {
  return `out_${decisionId.slice("dec_".length)}`;
}
