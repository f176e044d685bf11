import type { ProviderId } from "../vocabulary/decision-request.js";
import type { HealthState, OptimizationMode, PolicyStatus } from "../vocabulary/vocabulary.js";
import type { ConditionGroup, FieldOf, ListedValue, OperatorOf } from "./condition-vocabulary.js";

type ListField = FieldOf<"list" | "set">;

/** COND-1: every key of a `when` must hold. `{}` always matches. A condition on an absent field is false. */
export type Conditions = { [F in FieldOf<"number"> as `${F}_${OperatorOf<"number">}`]?: number } & {
  [F in ListField as `${F}_${OperatorOf<"list">}`]?: ListedValue<F>[];
} & { [F in FieldOf<"prefix"> as `${F}_${OperatorOf<"prefix">}`]?: string[] } & {
  [F in FieldOf<"flag"> as `${F}_${OperatorOf<"flag">}`]?: boolean;
} & {
  provider_health_state_in?: { provider: ProviderId; states: HealthState[] };
  /** The stable hash of rule_id and order_id, modulo 10000, must be below this. */
  sample_bps_lt?: number;
} & { [Group in ConditionGroup]?: Conditions[] };

/** RULE-10: `then` in normal form (aliases resolved, defaults filled in). */
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
  /** A lower priority comes first. Equal priorities keep the order of the rules. */
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
  /** POL-3: always present, but may be null. */
  default_provider: ProviderId | null;
  rules: Rule[];
  /** ISO 8601 */
  updated_at: string;
}
