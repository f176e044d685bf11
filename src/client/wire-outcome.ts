import type { ProviderId } from "../domain/vocabulary/decision-request.js";
import type { Outcome, OutcomeAlias, TechnicalFailureType } from "../domain/vocabulary/vocabulary.js";

/** The table of OUT-4. */
export type FailureClass =
  | "none"
  | "soft_decline"
  | "hard_decline"
  | "technical"
  | "timeout"
  | "rate_limit"
  | "policy_block"
  | "authentication_failed";

/** OUT-1, request fields. */
export interface OutcomeReport {
  decision_id: string;
  /** The decision's own. */
  order_id: string;
  provider_used: ProviderId;
  outcome: Outcome | OutcomeAlias;
  provider_latency_ms: number;
  /** At most 64 characters. */
  provider_reason_code?: string;
  technical_failure_type?: TechnicalFailureType;
  /** Minor units. */
  amount: number;
  /** ISO 4217 */
  currency: string;
  /** ISO 8601, for backfills. */
  created_at?: string;
}

/** OUT-8, response fields. */
export interface OutcomeReceipt {
  outcome_id: string;
  decision_id: string;
  outcome: Outcome;
  failure_class: FailureClass;
  technical_failure_type: TechnicalFailureType | null;
  approved: boolean;
}

/** OUT-13: the stored outcome on decision reads; a rejected review leaves provider and latency null. */
export interface StoredOutcome {
  outcome: Outcome;
  provider_used: ProviderId | null;
  provider_latency_ms: number | null;
  provider_reason_code: string | null;
  failure_class: FailureClass;
  technical_failure_type: TechnicalFailureType | null;
  approved: boolean;
  /** ISO 8601 */
  reported_at: string;
  /** ISO 8601; only where one was reported. */
  created_at?: string;
}
