import type { AlertKind } from "../../../domain/vocabulary/alert-kinds.js";
import type {
  Action,
  AlertSeverity,
  DecisionMode,
  Mode,
  Outcome,
} from "../../../domain/vocabulary/vocabulary.js";

/** Analytics and alerts: bodies as the service sends them. Times are ISO 8601, rates fractions 0..1. */

export const RANGES = ["24h", "7d", "30d", "90d", "all"] as const;
export type Range = (typeof RANGES)[number];

export interface SeriesPoint {
  /** Of the range's decisions from here to the next point. */
  start: string;
  total: number;
  with_outcome: number;
  approved: number;
  approval_rate: number | null;
}

/** Of decisions whose primary provider has real pricing; amounts in minor units of `currency`. */
export interface CurrencyCost {
  currency: string;
  decision_mode: DecisionMode;
  decisions: number;
  estimated_cost_minor: number;
  saving_vs_most_expensive_minor: number;
  first_offered_decisions: number;
  /** Negative where the first offered provider would have cost less. */
  saving_vs_first_offered_minor: number;
}

export interface CostReport {
  /** From which decisions on costs are counted; null: all of history. */
  since: string | null;
  by_currency: CurrencyCost[];
}

interface Recovery {
  with_outcome: number;
  /** Approved. */
  recovered: number;
  recovery_rate: number | null;
}

/** What became of decisions that were asked for after one kind of failure of a provider. */
export interface FailureRecovery extends Recovery {
  provider: string;
  failure_class: string;
  decisions: number;
  same_provider: Recovery;
  other_provider: Recovery;
}

export interface RetryReport {
  since: string | null;
  by_failure: FailureRecovery[];
}

/** GET /v1/analytics/summary; a rate or a latency over nothing is null. */
export interface AnalyticsSummary {
  range: Range;
  mode: Mode;
  since: string | null;
  total: number;
  by_action: { action: Action; count: number }[];
  by_provider: { provider: string; count: number }[];
  outcome_counts: { outcome: Outcome; count: number }[];
  with_outcome: number;
  approved: number;
  approval_rate: number | null;
  feedback_rate: number | null;
  avg_latency_ms: number | null;
  p50_latency_ms: number | null;
  p95_latency_ms: number | null;
  p99_latency_ms: number | null;
  series_interval: "hour" | "day" | "month";
  /** Oldest first; the last one holds now. */
  series: SeriesPoint[];
  cost: CostReport;
  retries: RetryReport;
  generated_at: string;
}

/** GET /v1/alerts, one of them. */
export interface Alert {
  alert_id: string;
  kind: AlertKind;
  severity: AlertSeverity;
  /** Null where its kind carries none. */
  provider: string | null;
  segment_key: string | null;
  reason_code: string;
  opened_at: string;
  closed_at: string | null;
  acknowledged_by: string | null;
}
