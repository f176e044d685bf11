import { roundTo2, roundTo6 } from "../vocabulary/rounding.js";
import type { WindowSummary } from "./window.js";

/** The inputs of the score. Rates are fractions 0..1. */
export interface HealthMeasures {
  timeoutRate: number;
  error5xxRate: number;
  throttle429Rate: number;
  /** Approvals divided by all samples except hard declines. */
  approvalRate: number;
  approvalRateBaseline: number;
  p95LatencyMs: number;
  webhookLagSeconds: number;
}

export type ScoreTermName = "timeout" | "error_5xx" | "throttle_429" | "approval" | "latency" | "webhook_lag";

/** The points that each term takes off, up to its cap. */
type ScorePenalties = Record<ScoreTermName, number>;

/** HLTH-13, the score formula term by term. */
export function scorePenalties(measures: HealthMeasures): ScorePenalties {
  return {
    timeout: Math.min(40, 400 * measures.timeoutRate),
    error_5xx: Math.min(30, 300 * measures.error5xxRate),
    throttle_429: Math.min(15, 150 * measures.throttle429Rate),
    approval: Math.min(25, 250 * Math.max(0, measures.approvalRateBaseline - measures.approvalRate)),
    latency: Math.min(10, (10 * Math.max(0, measures.p95LatencyMs - 1500)) / 3000),
    webhook_lag: Math.min(5, measures.webhookLagSeconds / 60),
  };
}

/** HLTH-13: 100 less the penalties, never below 0 (the caps add up to 125), with 2 decimals. */
export function healthScore(measures: HealthMeasures): number {
  const p = scorePenalties(measures);
  const total = p.timeout + p.error_5xx + p.throttle_429 + p.approval + p.latency + p.webhook_lag;
  return roundTo2(Math.max(0, 100 - total));
}

/** HLTH-15: 100·n/(n + 50), 2 decimals. */
export function confidenceOf(samples: number): number {
  return roundTo2((100 * samples) / (samples + 50));
}

/**
 * The measures of a window, rounded as on the wire, so that anyone can recompute a score from its snapshot. If no
 * sample says anything about approvals, the rate is the baseline.
 */
export function measuresOf(
  summary: WindowSummary,
  approvalRateBaseline: number,
  webhookLagSeconds: number,
): HealthMeasures {
  const rate = (count: number): number => (summary.samples === 0 ? 0 : roundTo6(count / summary.samples));
  const answerable = summary.samples - summary.hardDeclines;
  return {
    timeoutRate: rate(summary.timeouts),
    error5xxRate: rate(summary.errors5xx),
    throttle429Rate: rate(summary.throttled429),
    approvalRate: answerable === 0 ? approvalRateBaseline : roundTo6(summary.approvals / answerable),
    approvalRateBaseline,
    p95LatencyMs: Math.round(summary.p95LatencyMs),
    webhookLagSeconds: Math.max(0, webhookLagSeconds),
  };
}
