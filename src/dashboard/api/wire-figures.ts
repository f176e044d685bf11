import type { Action, AlertKind, AlertSeverity, Mode, Outcome } from "../../shared/vocabulary.js";

/** contract §3, analytics and alerts: bodies as the service sends them. Times are ISO 8601, rates fractions 0..1. */

export const RANGES = ["24h", "7d", "30d", "90d", "all"] as const;
export type Range = (typeof RANGES)[number];

export interface SeriesPoint {
  /** Of decisions made from here to the next point. */
  start: string;
  total: number;
  with_outcome: number;
  approved: number;
  approval_rate: number | null;
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
  generated_at: string;
}

/** GET /v1/alerts, one of them. */
export interface Alert {
  alert_id: string;
  kind: AlertKind;
  severity: AlertSeverity;
  provider: string;
  segment_key: string;
  reason_code: string;
  opened_at: string;
  closed_at: string | null;
  acknowledged_by: string | null;
}
