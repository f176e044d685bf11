import { roundTo2, roundTo6 } from "../vocabulary/rounding.js";
import { HEALTH_LIMITS } from "./limits.js";
import { RATE_TERMS, rateDeduction, type HealthMeasures } from "./score.js";
import { snapshotMeasures, type HealthSnapshot } from "./snapshot.js";

/**
 * What a workspace's outcomes say of one segment. All are weighted counts, not integers. A decline for which the
 * provider is not to blame is an answer like any other, but no reason to think less of the provider, so it is missing
 * from the approvals.
 */
export interface LiveCounts {
  /** The answers of hours and the failures of minutes. Confidence follows from them. */
  readonly samples: number;
  /** Every such outcome, over minutes. */
  readonly recent: number;
  readonly timeouts: number;
  readonly errors5xx: number;
  readonly throttled429: number;
  /** Approvals, and declines that count against the provider, over hours. */
  readonly judged: number;
  readonly approved: number;
  /** The same over days, those of the last hours among them. What is older is the segment's own normal. */
  readonly judgedBefore: number;
  readonly approvedBefore: number;
}

/** What is known of a segment without its own outcomes: from its probes, or from its provider and method. */
export interface Prior {
  readonly score: number;
  readonly samples: number;
  readonly measures: HealthMeasures;
}

/** What is known of a segment with its own outcomes. `measures` are rounded as on the wire. */
export interface LiveEstimate {
  readonly score: number;
  readonly samples: number;
  readonly measures: HealthMeasures;
}

/** A score of 100 and no samples: nothing is known before the first outcome. `baseline` is an approval rate 0..1. */
export function noPrior(baseline: number): Prior {
  return {
    score: 100,
    samples: 0,
    measures: {
      timeoutRate: 0,
      error5xxRate: 0,
      throttle429Rate: 0,
      approvalRate: baseline,
      approvalRateBaseline: baseline,
      p95LatencyMs: 0,
      webhookLagSeconds: 0,
    },
  };
}

/** The snapshot of everybody, as the prior of one workspace's segment. */
export function priorOf(snapshot: HealthSnapshot): Prior {
  return {
    score: snapshot.score,
    samples: snapshot.sample_size,
    measures: snapshotMeasures(snapshot),
  };
}

/** HLTH-29: p = (x + weight·prior)/(n + weight). */
function shrunk(events: number, of: number, prior: number, weight: number): number {
  return of + weight === 0 ? prior : (events + weight * prior) / (of + weight);
}

/** The share of answered attempts in approvals, from an approval rate that counts technical failures as well. */
function answeredApprovals({ approvalRate, ...rates }: HealthMeasures): number {
  const answered = 1 - rates.timeoutRate - rates.error5xxRate - rates.throttle429Rate;
  return answered <= 0 ? rates.approvalRateBaseline : Math.min(1, approvalRate / answered);
}

/**
 * HLTH-28 to HLTH-31: a segment's estimate from its own outcomes and what is known without them.
 *
 * - The rates are shrunk towards the prior's with the weight of 50 outcomes. Without a prior they are shrunk towards
 *   nothing, because then the confidence alone says how little is known.
 * - The score is the prior's, less the points that the outcomes add to the deductions of HLTH-13. Each deduction reads a
 *   rate with a weight of its own, so large that one outcome costs at most `pointsPerOutcome`. So the score moves at most
 *   2 points with one outcome, and a segment in good health with few outcomes keeps a good score.
 * - An approval never costs a point and a technical failure never gains one. That is why latency and webhook lag are the
 *   prior's alone: an approved payment may be slow, and a failed one may be quick.
 * - A segment's normal approval rate is its own of the last week, since merchants differ more than providers do.
 */
export function estimateLive(prior: Prior, counts: LiveCounts): LiveEstimate {
  const before = prior.measures;
  const isKnown = prior.samples > 0;
  const failures = counts.timeouts + counts.errors5xx + counts.throttled429;
  const failureRateBefore = before.timeoutRate + before.error5xxRate + before.throttle429Rate;
  const answeredBefore = answeredApprovals(before);
  // Without a prior, the answers of the last hours stand beside the failures of the last minutes.
  const answers = counts.samples - failures;
  const recentAnswers = counts.recent - failures;
  const rateWeight = isKnown
    ? HEALTH_LIMITS.shrinkageSamples
    : Math.max(0, Math.min(HEALTH_LIMITS.shrinkageSamples, answers) - recentAnswers);
  const rate = (events: number, priorRate: number): number =>
    shrunk(events, counts.recent, priorRate, rateWeight);

  let score = prior.score;
  const deduct = (
    term: "timeout" | "error_5xx" | "throttle_429",
    events: number,
    priorRate: number,
  ): void => {
    const weight = RATE_TERMS[term].pointsPerUnit / HEALTH_LIMITS.failurePointsPerOutcome;
    // Failures of another kind are left out. If they diluted this rate, a failure could raise the score.
    const slow = shrunk(events, counts.recent - failures + events, priorRate, weight);
    score -= rateDeduction(term, slow) - rateDeduction(term, priorRate);
  };
  deduct("timeout", counts.timeouts, before.timeoutRate);
  deduct("error_5xx", counts.errors5xx, before.error5xxRate);
  deduct("throttle_429", counts.throttled429, before.throttle429Rate);

  const weight = RATE_TERMS.approval.pointsPerUnit / HEALTH_LIMITS.approvalPointsPerOutcome;
  const normalBefore = Math.max(before.approvalRateBaseline, answeredBefore);
  const normal = shrunk(
    Math.max(0, counts.approvedBefore - counts.approved),
    Math.max(0, counts.judgedBefore - counts.judged),
    normalBefore,
    weight,
  );
  const answered = shrunk(counts.approved, counts.judged, answeredBefore, weight);
  const failing = shrunk(failures, counts.recent, failureRateBefore, weight);
  // A failure takes away its share of the prior's approvals. That share is fixed, so an approval cannot enlarge it.
  const shortfall = (normalRate: number, answeredRate: number, failureRate: number): number =>
    Math.max(0, normalRate - answeredRate) + answeredBefore * failureRate;
  score -=
    rateDeduction("approval", shortfall(normal, answered, failing)) -
    rateDeduction("approval", shortfall(normalBefore, answeredBefore, failureRateBefore));

  // Without a prior, the answers that nobody holds against the provider stand for its usual approvals.
  const approvalWeight = isKnown
    ? HEALTH_LIMITS.shrinkageSamples
    : Math.max(0, Math.min(HEALTH_LIMITS.shrinkageSamples, answers - counts.judged));
  const approvals = shrunk(counts.approved, counts.judged, answeredBefore, approvalWeight);
  const failureRate = Math.min(1, rate(failures, failureRateBefore));
  return {
    score: roundTo2(Math.min(100, Math.max(0, score))),
    samples: Math.round(prior.samples + counts.samples),
    measures: {
      timeoutRate: roundTo6(rate(counts.timeouts, before.timeoutRate)),
      error5xxRate: roundTo6(rate(counts.errors5xx, before.error5xxRate)),
      throttle429Rate: roundTo6(rate(counts.throttled429, before.throttle429Rate)),
      approvalRate: roundTo6(approvals * (1 - failureRate)),
      approvalRateBaseline: roundTo6(normal),
      p95LatencyMs: before.p95LatencyMs,
      webhookLagSeconds: before.webhookLagSeconds,
    },
  };
}
