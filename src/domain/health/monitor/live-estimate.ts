import { shrunk } from "../../statistics/shrinkage.js";
import { roundTo2, roundTo6 } from "../../vocabulary/rounding.js";
import { HEALTH_LIMITS } from "../limits.js";
import { RATE_TERMS, rateDeduction, type HealthMeasures } from "../score.js";
import type { HealthSnapshot } from "../snapshot.js";

/**
 * The counts of a workspace's outcomes in one segment. All of them are weighted, so they are not integers. A decline
 * for which the provider is not to blame counts as an answer. It is left out of the judged ones, so it lowers no
 * approval rate.
 */
export interface LiveCounts {
  /** The answers of hours and the failures of minutes. Confidence follows from them. */
  readonly samples: number;
  /** The number of all such outcomes within minutes. */
  readonly recent: number;
  readonly timeouts: number;
  readonly errors5xx: number;
  readonly throttled429: number;
  /** Approvals, and declines that count against the provider, over hours. */
  readonly judged: number;
  readonly approved: number;
  /**
   * HLTH-34: the judged declines that the issuers caused. They are treated like declines for which the provider is not
   * to blame.
   */
  readonly excused: number;
  /**
   * The judged and the approved outcomes over days, including the last hours. Those before the last hours give the
   * segment's own normal.
   */
  readonly judgedBefore: number;
  readonly approvedBefore: number;
}

/** Rates 0..1. */
interface Rates {
  timeout: number;
  error5xx: number;
  throttle429: number;
  /** The sum of the three rates. */
  failing: number;
  /** The share of approvals among answers. */
  answered: number;
  /** The usual share of approvals among answers. */
  normal: number;
}

/**
 * The knowledge about a segment, from probes alone or from probes and outcomes. It is the prior of the levels below.
 */
export interface LiveEstimate {
  /** Neither rounded nor limited to 0..100. */
  readonly score: number;
  readonly samples: number;
  /** HLTH-29: the rates that are shown, and that routing expects. */
  readonly shown: Rates;
  /** The rates that the score reads, which follow outcomes more slowly. */
  readonly scored: Rates;
  /** The part 0..1 of a failure's effect that is taken from the points of approvals. No outcome changes it. */
  readonly approvalShare: number;
  readonly p95LatencyMs: number;
  readonly webhookLagSeconds: number;
}

/** The prior before the first outcome: a score of 100 and no samples. `baseline` is an approval rate 0..1. */
export function noPrior(baseline: number): LiveEstimate {
  const rates = {
    timeout: 0,
    error5xx: 0,
    throttle429: 0,
    failing: 0,
    answered: baseline,
    normal: baseline,
  };
  return {
    score: 100,
    samples: 0,
    shown: rates,
    scored: rates,
    approvalShare: baseline,
    p95LatencyMs: 0,
    webhookLagSeconds: 0,
  };
}

/** Makes the prior of one workspace's segment from a snapshot. */
export function priorOf(snapshot: HealthSnapshot): LiveEstimate {
  const { timeout_rate: timeout, error_5xx_rate: error5xx, throttle_429_rate: throttle429 } = snapshot;
  const failing = timeout + error5xx + throttle429;
  const baseline = snapshot.approval_rate_baseline;
  // An approval rate counts technical failures as well. If nothing was answered, the usual rate is used.
  const answered = failing >= 1 ? baseline : Math.min(1, snapshot.approval_rate / (1 - failing));
  const normal = Math.max(baseline, answered);
  const rates = { timeout, error5xx, throttle429, failing, answered, normal };
  return {
    score: snapshot.score,
    samples: snapshot.sample_size,
    shown: rates,
    scored: rates,
    approvalShare: answered,
    p95LatencyMs: snapshot.p95_latency_ms,
    webhookLagSeconds: snapshot.webhook_lag_seconds,
  };
}

/**
 * HLTH-28 to HLTH-31: a segment's estimate from its own outcomes and what is known without them.
 *
 * - The shown rates are shrunk towards the prior's with the weight of 50 outcomes. Without a prior they are shrunk towards
 *   nothing, because then the confidence alone says how little is known.
 * - The score is the prior's, less the points that the outcomes add to the deductions of HLTH-13. Each deduction reads a
 *   rate with a weight of its own, so large that one outcome costs at most `failurePointsPerOutcome` or
 *   `approvalPointsPerOutcome`. So the score moves at most 2 points with one outcome, and with many outcomes it is that
 *   of the formula.
 * - An approval never costs a point and a technical failure never gains one. That is why latency and webhook lag are the
 *   prior's alone: an approved payment may be slow, and a failed one may be quick.
 * - A segment's normal approval rate is its own of the last week, since merchants differ more than providers do. It leaves
 *   out the last hours, because a fall must not become normal at once.
 * - HLTH-32: a level has its parent, `around`, between `prior` and its own outcomes. The shown rates are shrunk towards the
 *   parent's. The score follows a parent that is worse than the prior with the weight of 50 outcomes against the level's
 *   own approvals, so a fall elsewhere does not last where payments are approved.
 */
export function estimateLive(prior: LiveEstimate, counts: LiveCounts, around = prior): LiveEstimate {
  const towards = around === prior ? prior.scored : pulledRates(prior.scored, around.scored, counts);
  const scored = scoredRates(towards, counts);
  // Each field is written by name. This runs for every level, and a spread takes several times as long.
  return {
    approvalShare: prior.approvalShare,
    p95LatencyMs: prior.p95LatencyMs,
    webhookLagSeconds: prior.webhookLagSeconds,
    score:
      prior.score - deductions(scored, prior.approvalShare) + deductions(prior.scored, prior.approvalShare),
    samples: around.samples + counts.samples,
    shown: shownRates(around, counts),
    scored,
  };
}

/** The measures of an estimate, rounded as on the wire. */
export function shownMeasures(estimate: LiveEstimate): HealthMeasures {
  const { shown } = estimate;
  return {
    timeoutRate: roundTo6(shown.timeout),
    error5xxRate: roundTo6(shown.error5xx),
    throttle429Rate: roundTo6(shown.throttle429),
    approvalRate: roundTo6(shown.answered * (1 - Math.min(1, shown.failing))),
    approvalRateBaseline: roundTo6(estimate.scored.normal),
    p95LatencyMs: estimate.p95LatencyMs,
    webhookLagSeconds: estimate.webhookLagSeconds,
  };
}

/** The score of an estimate in its shown form: 0..100, two decimals. */
export function shownScore({ score }: LiveEstimate): number {
  return roundTo2(Math.min(100, Math.max(0, score)));
}

/** The parent's rates. If they are worse than the prior's, they count less with each of the level's own approvals. */
function pulledRates(
  prior: Rates,
  parent: Rates,
  { recent, timeouts, errors5xx, throttled429, approved }: LiveCounts,
): Rates {
  const { shrinkageSamples } = HEALTH_LIMITS;
  const failurePull = shrinkageSamples / (shrinkageSamples + recent - timeouts - errors5xx - throttled429);
  const approvalPull = shrinkageSamples / (shrinkageSamples + approved);
  const pulled = (from: number, to: number): number => (to <= from ? to : from + failurePull * (to - from));
  return {
    timeout: pulled(prior.timeout, parent.timeout),
    error5xx: pulled(prior.error5xx, parent.error5xx),
    throttle429: pulled(prior.throttle429, parent.throttle429),
    failing: pulled(prior.failing, parent.failing),
    answered:
      parent.answered >= prior.answered
        ? parent.answered
        : prior.answered - approvalPull * (prior.answered - parent.answered),
    normal: parent.normal,
  };
}

function scoredRates(before: Rates, counts: LiveCounts): Rates {
  const { recent, timeouts, errors5xx, throttled429 } = counts;
  const failures = timeouts + errors5xx + throttled429;
  // Failures of another kind are left out. If they entered this rate, another failure could raise the score.
  const failed = (term: "timeout" | "error_5xx" | "throttle_429", events: number, rate: number): number =>
    shrunk(
      events,
      recent - failures + events,
      rate,
      RATE_TERMS[term].pointsPerUnit / HEALTH_LIMITS.failurePointsPerOutcome,
    );
  const weight = RATE_TERMS.approval.pointsPerUnit / HEALTH_LIMITS.approvalPointsPerOutcome;
  return {
    timeout: failed("timeout", timeouts, before.timeout),
    error5xx: failed("error_5xx", errors5xx, before.error5xx),
    throttle429: failed("throttle_429", throttled429, before.throttle429),
    failing: shrunk(failures, recent, before.failing, weight),
    answered: shrunk(counts.approved, counts.judged - counts.excused, before.answered, weight),
    normal: shrunk(
      Math.max(0, counts.approvedBefore - counts.approved),
      Math.max(0, counts.judgedBefore - counts.judged),
      before.normal,
      weight,
    ),
  };
}

function shownRates({ shown: before, samples }: LiveEstimate, counts: LiveCounts): Rates {
  const { shrinkageSamples } = HEALTH_LIMITS;
  const { recent, timeouts, errors5xx, throttled429, approved } = counts;
  const judged = counts.judged - counts.excused;
  const failures = timeouts + errors5xx + throttled429;
  const known = Math.min(shrinkageSamples, samples);
  // With little evidence, the failures of minutes are compared with the answers of hours. Answers that nobody holds
  // against the provider count with its usual approvals.
  const answers = Math.min(shrinkageSamples, counts.samples - failures);
  const failureWeight = Math.max(known, answers - (recent - failures));
  const approvalWeight = Math.max(known, answers - judged);
  const failed = (events: number, rate: number): number => shrunk(events, recent, rate, failureWeight);
  return {
    timeout: failed(timeouts, before.timeout),
    error5xx: failed(errors5xx, before.error5xx),
    throttle429: failed(throttled429, before.throttle429),
    failing: failed(failures, before.failing),
    answered: shrunk(approved, judged, before.answered, approvalWeight),
    normal: before.normal,
  };
}

/** The points that rates take off. Failures take away their share of the approvals. */
function deductions(rates: Rates, approvalShare: number): number {
  const shortfall = Math.max(0, rates.normal - rates.answered) + approvalShare * rates.failing;
  return (
    rateDeduction("timeout", rates.timeout) +
    rateDeduction("error_5xx", rates.error5xx) +
    rateDeduction("throttle_429", rates.throttle429) +
    rateDeduction("approval", shortfall)
  );
}
