import { shrunk } from "../../statistics/shrinkage.js";
import { roundTo2, roundTo6 } from "../../vocabulary/rounding.js";
import { HEALTH_LIMITS } from "../limits.js";
import { RATE_TERMS, rateDeduction, type HealthMeasures } from "../score.js";
import type { HealthSnapshot } from "../snapshot.js";

/**
 * Counts of a workspace's outcomes in one segment. Outcomes fade with time, so the counts are not integers. A decline
 * that is not the provider's fault counts as an answer but not as judged, so it does not lower the approval rate.
 */
export interface LiveCounts {
  /** The sum of answers, which fade over hours, and failures, which fade over minutes. It determines the confidence. */
  readonly samples: number;
  /** All outcomes. They fade over minutes. */
  readonly recent: number;
  readonly timeouts: number;
  readonly errors5xx: number;
  readonly throttled429: number;
  /** Approvals, and declines held against the provider. They fade over hours. */
  readonly judged: number;
  readonly approved: number;
  /** HLTH-34: the judged declines that the issuers caused. They do not count against the provider. */
  readonly excused: number;
  /** HLTH-35: other judged declines, of a fall that is over. They do not count against the provider. */
  readonly overcome: number;
  /**
   * Judged and approved outcomes that fade over days. Less the outcomes of the last hours, they give the segment's
   * usual approval rate.
   */
  readonly judgedBefore: number;
  readonly approvedBefore: number;
}

/** Rates 0..1. */
interface Rates {
  timeout: number;
  error5xx: number;
  throttle429: number;
  /** The sum of timeout, error5xx and throttle429. */
  failing: number;
  /** The share of approvals among answers. */
  answered: number;
  /** The usual share of approvals among answers. */
  normal: number;
}

/**
 * An estimate of a segment, from probes alone or from probes and outcomes. The segment's levels use it as their
 * prior.
 */
export interface LiveEstimate {
  /** Neither rounded nor limited to 0..100. */
  readonly score: number;
  readonly samples: number;
  /** HLTH-29: the rates that snapshots show and that routing uses. */
  readonly shown: Rates;
  /** The rates that the score is computed from. They follow outcomes more slowly than the shown rates. */
  readonly scored: Rates;
  /**
   * The share 0..1 of failed payments that would otherwise have been approved. A failure lowers the approval term in
   * this proportion. Outcomes do not change the share.
   */
  readonly approvalShare: number;
  readonly p95LatencyMs: number;
  readonly webhookLagSeconds: number;
}

/** The prior of a segment without probes: a score of 100 from no samples. `baseline` is an approval rate 0..1. */
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

/** Makes the prior of one workspace's segment from the snapshot without the workspace's outcomes. */
export function priorOf(snapshot: HealthSnapshot): LiveEstimate {
  const { timeout_rate: timeout, error_5xx_rate: error5xx, throttle_429_rate: throttle429 } = snapshot;
  const failing = timeout + error5xx + throttle429;
  const baseline = snapshot.approval_rate_baseline;
  // An approval rate counts technical failures as not approved, so they are taken out. If every sample failed, the
  // usual rate is used.
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
 * HLTH-28 to HLTH-31: combines a segment's own outcomes with the prior, which is known without them.
 *
 * - The shown rates are shrunk towards the prior's with the weight of 50 outcomes. A prior without samples has no
 *   weight for the shown rates. The confidence alone then tells how little is known.
 * - The score is the prior's, less the points that the outcomes add to the deductions of HLTH-13. Each deduction uses a
 *   rate with a weight of its own. The weight is so large that one outcome costs at most `failurePointsPerOutcome` or
 *   `approvalPointsPerOutcome`. One outcome therefore moves the score by at most 2 points. With many outcomes, the
 *   score is that of HLTH-13.
 * - An approval never costs a point, and a technical failure never gains one. Latency and webhook lag are therefore the
 *   prior's alone, because an approved payment can be slow and a failed one can be quick.
 * - A segment's usual approval rate is its own rate of the last week, because merchants differ more than providers do.
 *   The last hours are left out, because a fall must not become usual at once.
 * - HLTH-32: for a level, `around` is the estimate of the level above it. The shown rates are shrunk towards `around`
 *   in place of `prior`. If `around` is worse than `prior`, it pulls the score with the weight of 50 outcomes against
 *   the level's own approvals. A fall elsewhere therefore does not last where payments are approved.
 */
export function estimateLive(prior: LiveEstimate, counts: LiveCounts, around = prior): LiveEstimate {
  const towards = around === prior ? prior.scored : pulledRates(prior.scored, around.scored, counts);
  const scored = scoredRates(towards, counts);
  // Each field is written by name, because a spread takes several times as long and this runs for every level.
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

/** Returns the measures of an estimate, rounded as in the API. */
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

/** Returns the score as snapshots show it: 0..100, two decimals. */
export function shownScore({ score }: LiveEstimate): number {
  return roundTo2(Math.min(100, Math.max(0, score)));
}

/**
 * Moves the prior's rates to the parent's. If a parent's rate is worse, each of the level's own successes reduces the
 * move.
 */
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
  // Failures of other kinds are left out of this rate. Otherwise one of them could lower this rate and raise the score.
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
    answered: shrunk(
      counts.approved,
      counts.judged - counts.excused - counts.overcome,
      before.answered,
      weight,
    ),
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
  const judged = counts.judged - counts.excused - counts.overcome;
  const failures = timeouts + errors5xx + throttled429;
  const known = Math.min(shrinkageSamples, samples);
  // With few outcomes, recent failures, which fade in minutes, are weighed against answers, which fade in hours. An
  // answer that is not the provider's fault counts with the usual approval rate.
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

const NO_RATES: Rates = { timeout: 0, error5xx: 0, throttle429: 0, failing: 0, answered: 0, normal: 0 };

/** Returns the points that a level's failures deduct from its score if they are all that is known. */
export function failurePoints(counts: LiveCounts): number {
  return deductions({ ...scoredRates(NO_RATES, counts), answered: 0, normal: 0 }, 1);
}

/** Returns the points that the rates deduct. A failure also counts as `approvalShare` of a lost approval. */
function deductions(rates: Rates, approvalShare: number): number {
  const shortfall = Math.max(0, rates.normal - rates.answered) + approvalShare * rates.failing;
  return (
    rateDeduction("timeout", rates.timeout) +
    rateDeduction("error_5xx", rates.error5xx) +
    rateDeduction("throttle_429", rates.throttle429) +
    rateDeduction("approval", shortfall)
  );
}
