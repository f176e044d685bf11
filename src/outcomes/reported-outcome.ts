import type { ProviderId } from "../shared/decision-request.js";
import type { Mode, Outcome, PaymentMethod, TechnicalFailureType } from "../shared/vocabulary.js";

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

/** What is known of the decision that an outcome is reported for. */
export interface DecisionFacts {
  workspaceId: string;
  mode: Mode;
  merchantId: string;
  orderId: string;
  paymentMethod: PaymentMethod;
  /** The attempt that had failed before it, or null. */
  retryOf: FailedAttempt | null;
}

export interface FailedAttempt {
  provider: ProviderId;
  outcome: Outcome;
}

/** Who reports. */
export interface OutcomeCaller {
  workspaceId: string;
  mode: Mode;
  /** The one merchant the key may act for, or null. */
  merchantScope: string | null;
}

export type ReportRefusal = "unknown_decision" | "merchant_scope" | "order_mismatch";

/**
 * spec "POST /v1/outcomes" Errors and contract §6, in this order: a decision of another workspace or mode is like an
 * unknown one; another merchant's is forbidden; the order must be the decision's own. Null: the report is taken.
 */
export function refuseReport(
  report: Pick<ReportedOutcome, "orderId">,
  caller: OutcomeCaller,
  decision: DecisionFacts,
): ReportRefusal | null {
  if (decision.workspaceId !== caller.workspaceId || decision.mode !== caller.mode) return "unknown_decision";
  if (caller.merchantScope !== null && caller.merchantScope !== decision.merchantId) return "merchant_scope";
  return report.orderId === decision.orderId ? null : "order_mismatch";
}

/** contract §6: an outcome keeps its id across upserts; one decision has at most one, so the id is the decision's own. */
export function outcomeIdOf(decisionId: string): string {
  return `out_${decisionId.slice("dec_".length)}`;
}
