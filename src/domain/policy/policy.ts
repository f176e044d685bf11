import type { ProviderId } from "../vocabulary/decision-request.js";
import type {
  CardNetwork,
  CustomerType,
  DecisionMode,
  HealthState,
  Mode,
  OptimizationMode,
  PaymentMethod,
  PolicyStatus,
  PreviousOutcome,
  ReportedRiskBand,
  RiskBand,
  TransactionType,
} from "../vocabulary/vocabulary.js";

/** COND-5: a numeric field takes these four suffixes. */
type Numeric<Field extends string> = {
  [K in Field as `${K}_gte` | `${K}_gt` | `${K}_lte` | `${K}_lt`]?: number;
};
/** COND-6: an enum or string field takes `_in` and `_not_in`. */
type Listed<Field extends string, Value> = { [K in Field as `${K}_in` | `${K}_not_in`]?: Value[] };

/** COND-1: `when`: every key must hold; `{}` always matches; an absent field makes its condition false. */
export type Conditions = Numeric<
  | "amount"
  | "risk_score"
  | "velocity_count_10m"
  | "velocity_count_1h"
  | "velocity_amount_1h"
  | "previous_success_count"
  | "previous_decline_count"
  | "order_age_seconds"
  | "merchant_supplied_risk_score"
  | "computed_risk_score"
  | "offered_provider_count"
  | "hour_utc"
  | "weekday_utc"
> &
  Listed<"currency" | "country" | "previous_reason_code", string> &
  Listed<"payment_method", PaymentMethod> &
  Listed<"card_network", CardNetwork> &
  Listed<"transaction_type", TransactionType> &
  Listed<"customer_type", CustomerType> &
  Listed<"risk_level" | "device_risk_band", ReportedRiskBand> &
  Listed<"risk_band", RiskBand> &
  Listed<"previous_provider" | "offered_provider", ProviderId> &
  Listed<"previous_outcome", PreviousOutcome> &
  Listed<"mode", Mode> &
  Listed<"decision_mode", DecisionMode> & {
    ip_country_match_is?: boolean;
    has_previous_attempt_is?: boolean;
    provider_health_state_in?: { provider: ProviderId; states: HealthState[] };
    /** Stable hash of rule_id and order_id, modulo 10000, is below this. */
    sample_bps_lt?: number;
    any_of?: Conditions[];
    all_of?: Conditions[];
    none_of?: Conditions[];
  };

/** RULE-10: `then`, in normal form (aliases resolved, defaults filled in). */
export type RuleAction =
  | { type: "block" | "hold" | "step_up"; reason_code?: string }
  | { type: "prefer_provider"; providers: ProviderId[]; strict: boolean; boost: number }
  | { type: "exclude_provider" | "restrict_providers"; providers: ProviderId[] }
  | { type: "require_min_health"; min_score: number; providers?: ProviderId[] }
  | { type: "retry_on_timeout"; same_provider: boolean }
  | { type: "no_retry"; reason_codes: string[] }
  | { type: "max_cost"; max_effective_bps?: number; max_cost_minor?: number }
  | { type: "optimize_for"; mode: OptimizationMode; margin_bps?: number; max_approval_drop_bps?: number }
  | { type: "split_traffic"; weights: Record<ProviderId, number> };

export interface Rule {
  rule_id: string;
  name: string;
  /** Lower first; equal priorities keep rule order. */
  priority: number;
  enabled: boolean;
  when: Conditions;
  then: RuleAction;
}

/** A stored policy in normal form. */
export interface Policy {
  policy_id: string;
  name: string;
  status: PolicyStatus;
  /** `v1`, `v2`, … per merchant. */
  version: string;
  /** POL-3: there in any case. */
  default_provider: ProviderId | null;
  rules: Rule[];
  /** ISO 8601 */
  updated_at: string;
}
