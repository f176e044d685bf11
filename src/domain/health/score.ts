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

/** The points that each term deducts, up to its cap. */
type ScorePenalties = Record<ScoreTermName, number>;

/** HLTH-13: the terms that deduct in proportion to a rate, up to a cap. */
export const RATE_TERMS = {
  timeout: { pointsPerUnit: 400, pointsMax: 40 },
  error_5xx: { pointsPerUnit: 300, pointsMax: 30 },
  throttle_429: { pointsPerUnit: 150, pointsMax: 15 },
  approval: { pointsPerUnit: 250, pointsMax: 25 },
} as const satisfies Partial<Record<ScoreTermName, { pointsPerUnit: number; pointsMax: number }>>;

/** Returns the points that a rate 0..1 costs. For approvals, the rate is the shortfall below the baseline. */
export function rateDeduction(term: keyof typeof RATE_TERMS, rate: number): number {
  const { pointsPerUnit, pointsMax } = RATE_TERMS[term];
  return Math.min(pointsMax, pointsPerUnit * rate);
}

/** Returns the points that late webhooks cost. */
export function lagDeduction(seconds: number): number {
  return Math.min(5, seconds / 60);
}

/** HLTH-13, the score formula term by term. */
export function scorePenalties(measures: HealthMeasures): ScorePenalties {
  return {
    timeout: rateDeduction("timeout", measures.timeoutRate),
    error_5xx: rateDeduction("error_5xx", measures.error5xxRate),
    throttle_429: rateDeduction("throttle_429", measures.throttle429Rate),
    approval: rateDeduction("approval", Math.max(0, measures.approvalRateBaseline - measures.approvalRate)),
    latency: Math.min(10, (10 * Math.max(0, measures.p95LatencyMs - 1500)) / 3000),
    webhook_lag: lagDeduction(measures.webhookLagSeconds),
  };
}

/** HLTH-13: 100 less the penalties, with 2 decimals. The caps add up to 125, so the score is limited to 0 and above. */
export function healthScore(measures: HealthMeasures): number {
  const p = scorePenalties(measures);
  const total = p.timeout + p.error_5xx + p.throttle_429 + p.approval + p.latency + p.webhook_lag;
  return roundTo2(Math.max(0, 100 - total));
}

/** HLTH-15: 100 · samples / (samples + 50), 2 decimals. */
export function confidenceOf(samples: number): number {
  return roundTo2((100 * samples) / (samples + 50));
}

/**
 * Returns the measures of a window, rounded as in the API, so that anyone can recompute a score from its snapshot. If
 * no sample concerns approvals, the approval rate is the baseline.
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
