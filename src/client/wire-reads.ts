import type { RuleAction } from "../domain/policy/policy.js";
import type { DecisionRequest, ProviderId } from "../domain/vocabulary/decision-request.js";
import type {
  Action,
  DecisionMode,
  HealthSource,
  HealthState,
  Mode,
  ModelVersion,
  Outcome,
  PaymentMethod,
  ReviewResolution,
  RiskBand,
} from "../domain/vocabulary/vocabulary.js";
import type { Cost, DecidedPolicy, Economics, PricingSource, Risk, Route } from "./wire-decision.js";
import type { FailureClass, StoredOutcome } from "./wire-outcome.js";

/** HLTH-2; rates are fractions 0..1. */
export interface HealthSnapshot {
  provider: ProviderId;
  /** `<provider>:<payment_method>:<currency>` */
  segment_key: string;
  /** 0..100 */
  score: number;
  state: HealthState;
  /** 0..100 */
  confidence: number;
  p95_latency_ms: number;
  timeout_rate: number;
  error_5xx_rate: number;
  throttle_429_rate: number;
  approval_rate: number;
  approval_rate_baseline: number;
  webhook_lag_seconds: number;
  sample_size: number;
  window_seconds: number;
  reason_codes: string[];
  /** ISO 8601 */
  updated_at: string;
}

/** LOG-2: GET /v1/decisions, the query. */
export interface DecisionListQuery {
  /** 1 to 100, 25 when left out. */
  page_size?: number;
  action?: Action;
  decision_mode?: DecisionMode;
  /** true: only decisions with neither outcome nor review. */
  unresolved?: boolean;
  range?: "24h" | "7d" | "30d" | "90d" | "all";
  order_id?: string;
  /** Rows older than this decision; not together with `ending_before`. */
  starting_after?: string;
  /** Rows newer than this decision. */
  ending_before?: string;
  /** From 1; reaches the first 10000 rows. */
  page?: number;
}

export interface Review {
  resolution: ReviewResolution;
  note: string | null;
  resolved_by: string;
  /** ISO 8601 */
  resolved_at: string;
}

/** LOG-7, the list row. */
export interface DecisionListRow {
  decision_id: string;
  merchant_id: string;
  order_id: string;
  /** ISO 8601 */
  created_at: string;
  mode: Mode;
  decision_mode: DecisionMode;
  action: Action;
  primary_provider: ProviderId | null;
  fallback_provider: ProviderId | null;
  /** Minor units. */
  amount: number;
  amount_bucket: string;
  currency: string;
  country: string;
  payment_method: PaymentMethod;
  risk_score: number;
  risk_band: RiskBand;
  provider_health_source: HealthSource;
  decision_latency_ms: number;
  reason_codes: string[];
  model_version: ModelVersion;
  matched_rules: string[];
  review: Review | null;
  outcome: {
    outcome: Outcome;
    provider_used: ProviderId | null;
    provider_latency_ms: number | null;
    failure_class: FailureClass;
  } | null;
}

export interface DecisionPage {
  page: number;
  page_size: number;
  /** Only without a cursor. */
  total?: number;
  /** In the direction walked. */
  has_more: boolean;
  decisions: DecisionListRow[];
}

/** LOG-14, `provider_evaluations[]`. */
export interface ProviderEvaluation {
  provider: ProviderId;
  eligible: boolean;
  /** 0..100 */
  route_score: number;
  health_score: number;
  health_state: HealthState;
  /** null where eligible. */
  exclusion_reason: string | null;
  /** Where a `max_cost` matched: false for a provider without a real price, which was not held to it. */
  cost_limit_checked?: boolean;
  components: (ScoreComponents & Partial<CostComponents>) | null;
}

/** The terms of route_score, in points. */
export type ScoreComponents = Record<
  "health" | "approval_rate" | "latency" | "confidence_adjustment" | "degraded_penalty" | "preference_boost",
  number
>;

/** On deterministic-v2: what was weighed beside the score. */
export interface CostComponents {
  /** Minor units; null where pricing_source is unknown. */
  estimated_cost_minor: number | null;
  /** Basis points of the amount; null where pricing_source is unknown. */
  effective_bps: number | null;
  pricing_source: PricingSource;
  /** COST-8, 0..1 */
  approval_probability: number;
}

/** LOG-11, the detail. */
export interface DecisionDetail {
  decision_id: string;
  merchant_id: string;
  order_id: string;
  /** ISO 8601 */
  created_at: string;
  mode: Mode;
  action: Action;
  route: Route | null;
  provider_health_source: HealthSource;
  risk: Risk;
  /** `amount` in minor units. */
  transaction: { amount: number; currency: string; country: string; payment_method: PaymentMethod };
  policy: DecidedPolicy;
  model: { model_version: ModelVersion; provider_scores: Record<ProviderId, number> };
  reason_codes: string[];
  decision_latency_ms: number;
  ttl_ms: number;
  provider_evaluations: ProviderEvaluation[];
  review: Review | null;
  outcome: StoredOutcome | null;
  /** null on deterministic-v1 and on a block. */
  cost: RecordedCost | null;
  economics: Economics | null;
  /** The decision's request as it was sent: what the service fills in by default is not in it. */
  request: DecisionRequest;
  /** 0..100: the threshold in force when it was decided; null where it is not recorded. */
  risk_block_threshold: number | null;
  /** Every enabled rule of the policy version that decided; null where what they met is not recorded. */
  rule_evaluations: ExplainedRule[] | null;
}

/** `cost` on reads: both amounts are null where pricing_source is unknown. */
export type RecordedCost = Omit<Cost, "estimated_cost_minor" | "effective_bps"> &
  Pick<CostComponents, "estimated_cost_minor" | "effective_bps">;

/** AGG-1: GET /v1/decisions/aggregate; a rate over nothing is null. */
export interface DecisionAggregate {
  total: number;
  by_action: { action: Action; count: number }[];
  by_provider: { provider: ProviderId; count: number }[];
  by_risk_band: { band: RiskBand; count: number }[];
  top_reason_codes: { code: string; count: number }[];
  reason_code_sample: number;
  outcome_counts: { outcome: Outcome; count: number }[];
  with_outcome: number;
  approved: number;
  approval_rate: number | null;
  feedback_rate: number | null;
  avg_latency_ms: number | null;
  p95_latency_ms: number | null;
  recent: DecisionListRow[];
  /** ISO 8601 */
  generated_at: string;
  source: "cache" | "live";
}

/** AGG-6: GET /v1/decisions/shadow-report; a rate over nothing is null. */
export interface ShadowReport {
  window_days: number;
  /** ISO 8601 */
  since: string;
  total_shadow_decisions: number;
  decisions_with_outcome: number;
  truncated: boolean;
  actions: Partial<Record<Action, number>>;
  route_comparison: {
    comparable: number;
    merchant_used_recommended: number;
    merchant_used_fallback: number;
    merchant_diverged: number;
    agreement_rate: number | null;
    approval_rate_when_followed: number | null;
    approval_rate_when_diverged: number | null;
  };
}

/** One place where a decision that was made again differs from what was recorded. */
export interface ReplayDifference {
  /** Dotted. */
  path: string;
  recorded: unknown;
  replayed: unknown;
}

/** Why one enabled rule matched or did not. */
export interface RuleEvaluation {
  rule_id: string;
  name: string;
  matched: boolean;
  /** The first key of `when` that did not hold; null where the rule matched. */
  failed_condition: string | null;
}

/** One key of a rule's `when` beside the value it met when it was decided. */
export interface FieldEvaluation {
  /** The key: field, `_`, operator. */
  condition: string;
  field: string;
  operator: "gte" | "gt" | "lte" | "lt" | "in" | "not_in" | "prefix" | "is";
  expected?: unknown;
  /** null where the field was absent. */
  actual?: unknown;
  held: boolean;
}

/** A group of conditions, branch by branch. */
export interface GroupEvaluation {
  condition: "any_of" | "all_of" | "none_of";
  held: boolean;
  /** From 0: the first branch that held, of all_of the first that did not; null where all decided together. */
  decided_by: number | null;
  branches: { held: boolean; conditions: ConditionEvaluation[] }[];
}

export type ConditionEvaluation = FieldEvaluation | GroupEvaluation;

/** A rule's evaluation with every condition, also those behind the first that did not hold. */
export interface ExplainedRule extends RuleEvaluation {
  action_type: RuleAction["type"];
  conditions: ConditionEvaluation[];
}

/** POST /v1/decisions/:decisionId/replay: the decision made again from what it saw. */
export interface Replay {
  decision_id: string;
  /** null where something that the decision saw is not recorded. */
  identical: boolean | null;
  differences: ReplayDifference[];
  missing: string[];
  /** Of the policy version that decided; null where it cannot be known. */
  rule_evaluations: RuleEvaluation[] | null;
  /** As they were answered. */
  cost: RecordedCost | null;
  economics: Economics | null;
}
