/**
 * Every number of HLTH-8 to HLTH-26, and the bounds on the memory of provider health. A number with a unit has the
 * unit at the end of its name.
 */
export const HEALTH_LIMITS = {
  // Sliding window: 300 s in 10 s buckets.
  windowMs: 300_000,
  bucketMs: 10_000,

  // States.
  classifySamplesMin: 20,
  staleMs: 900_000,
  worsenTicks: 2,
  improveTicks: 3,
  improveMarginPoints: 5,

  // Circuit.
  circuitWindowMs: 10_000,
  circuitSlotMs: 1000,
  circuitSamplesMin: 20,
  circuitFailureShareMin: 0.5,
  circuitOpenMs: 30_000,
  circuitOpenMsMax: 300_000,
  circuitGoodProbes: 5,
  /**
   * If a circuit opens again within this time of closing, it stays open twice as long. Otherwise it stays open for
   * circuitOpenMs.
   */
  circuitBackoffResetMs: 300_000,

  /**
   * The time between two probes of a segment, independent of PROBE_INTERVAL_MS. It makes 25 probes in 10 s, so that
   * probes alone can open the circuit. It makes 750 probes in a window, which is a confidence of 93.75.
   */
  probePeriodMs: 400,
  /** The time between two ticks while probes are turned off. */
  tickWithoutProbesMs: 1000,

  // Learning from outcomes (HLTH-28 to HLTH-31).
  /**
   * HLTH-26: the approval rate of every provider about which nothing is known, 0..1. Nobody has measured it. It is equal
   * for all, so that it prefers none of them. The recovery from declines (HLTH-35) is tuned with it.
   */
  assumedApprovalRate: 0.93,
  /** The weight of the prior, in outcomes. The prior is the estimate without a segment's own outcomes. */
  shrinkageSamples: 50,
  technicalHalfLifeMs: 300_000,
  approvalHalfLifeMs: 21_600_000,
  /** With this half-life, outcomes are 3.5 days old on average, as in a window of 7 days. */
  normalHalfLifeMs: 209_600_000,
  /**
   * The most points that one outcome can cost. A technical failure costs points in its own term and in the approval
   * term. A decline costs points in the approval term only.
   */
  failurePointsPerOutcome: 1.25,
  approvalPointsPerOutcome: 0.75,
  // Alerts on payments as customers experienced them (ALRT-15 to ALRT-18). Their windows consist of short or long
  // blocks.
  feltBlocks: 10,
  feltShortBlockMs: 30_000,
  feltLongBlockMs: 360_000,
  /** The longest blocks reach back for three hours, so that a fall of the issuers that lasts as long is seen whole. */
  feltLongestBlocks: 7,
  feltLongestBlockMs: 1_800_000,
  approvalDropSamplesMin: 30,
  /** How far the share of approvals must be below the usual one, 0..1. */
  approvalDropMargin: 0.1,
  /** A fall is critical if the approval rate is certainly at least this far below the usual one. */
  approvalDropCriticalMargin: 0.3,
  technicalFailuresSamplesMin: 10,
  technicalFailuresMargin: 0.1,
  technicalFailuresCriticalMargin: 0.5,
  /**
   * An open alert closes when the lower bound of the bad share exceeds the usual share by less than this fraction of
   * the margin.
   */
  alertKeepsMarginPart: 0.5,
  /** The most alerts of one workspace. Nobody would read more, and one workspace must not fill the shared store. */
  ownerAlertsMax: 200,
  /** An alert about all providers needs at least this many providers with enough answers. */
  issuerProvidersMin: 2,
  issuerProviderSamplesMin: 10,
  /** Each provider that such an alert counts must have at least this fraction of the common fall. */
  issuerProviderFallPart: 0.5,

  // The recovery from failures (HLTH-35).
  /** The share of failures of a working provider, 0..1. */
  wellFailureShare: 0.05,
  /** The weight of `wellFailureShare` beside a level's own outcomes, in outcomes. */
  overcomeSamples: 10,
  /** Below this weighted number of failures, a segment has nothing to recover from. */
  overcomeFailuresMin: 0.25,
  /** A level counts as working if its share of failures is at most this, 0..1. */
  overcomeFailureShareMin: 0.06,
  /**
   * The evidence for a recovery is the natural logarithm of odds. Odds up to 7 to 1 can be chance, so nothing is
   * forgotten early. Above that, each unit adds to the share of failures that is forgotten per second, up to a fifth.
   */
  overcomeLogOddsMin: 2,
  overcomePerUnit: 0.013,
  overcomePerSecondMax: 0.2,
  /** The points by which forgetting moves a score each second, at most. Fading adds to it. */
  overcomePointsMax: 1.75,

  // The recovery from declines (HLTH-35).
  /** Approvals count as lost if they are this many standard deviations below the usual number. */
  fallDeviationsMin: 2,
  /** Fewer lost approvals cost about 2 points at most, so there is nothing to recover from. */
  fallLostMin: 3,
  /** Bounds of what one answer says: the usual share of approvals, and the part of it that a fall leaves, 0..1. */
  declinesUsualMax: 0.9,
  declinesLeftMin: 0.3,
  /** The weight of the last hours beside a place's own answers of the last hour, in answers. */
  declinesSamples: 5,
  /** A place counts as well with the weight of this many answers, so that few answers make no fall. */
  declinesWellSamples: 20,
  /** A smaller step in declines waits until it has grown, since it moves no score by a hundredth of a point. */
  declinesStepMin: 0.01,
  /** Odds up to 4.5 to 1 can be chance. They may be low, because the answers that a mistake brings take it back. */
  declinesLogOddsMin: 1.5,
  declinesPerUnit: 0.04,
  /**
   * One answer can start or stop a place's whole change. Declines cost at most 25 points, so that is less than 2 points
   * a second.
   */
  declinesPerSecondMax: 0.065,

  /**
   * While a segment gets over something, its levels follow it once its score has moved by this many points. Judged every
   * 10 s, they would jump.
   */
  levelsFollowScore: 0.25,
  /** A segment without new outcomes only fades, so it is judged at this interval. */
  fadeIntervalMs: 10_000,
  /** An unchanged snapshot is written again after this time, long before it becomes stale. */
  restateIntervalMs: 60_000,
  /** A segment is forgotten when its weighted number of outcomes falls below this. */
  forgottenSamplesMax: 0.5,

  /**
   * The most segments of all workspaces, counted with their levels. Each takes 5.7 KiB. Above this number, the segment
   * whose last outcome is the oldest is dropped with its levels.
   */
  levelsMax: 32_768,
  /** HLTH-32: the most segments of one workspace and mode, with their levels. */
  ownerLevelsMax: 4096,
} as const;

if (HEALTH_LIMITS.windowMs % HEALTH_LIMITS.bucketMs !== 0) {
  throw new RangeError("windowMs must be a multiple of bucketMs");
}
if (HEALTH_LIMITS.circuitWindowMs % HEALTH_LIMITS.circuitSlotMs !== 0) {
  throw new RangeError("circuitWindowMs must be a multiple of circuitSlotMs");
}
// The window covers up to one slot less than its length, because the youngest slot is only partly over.
const circuitProbesMin = Math.floor(
  (HEALTH_LIMITS.circuitWindowMs - HEALTH_LIMITS.circuitSlotMs) / HEALTH_LIMITS.probePeriodMs,
);
if (circuitProbesMin < HEALTH_LIMITS.circuitSamplesMin) {
  throw new RangeError("probePeriodMs is too long for probes alone to open a circuit");
}
// The failures that opened a circuit must have left the trailing window before the circuit can close. Otherwise they
// would open it again.
if (HEALTH_LIMITS.circuitOpenMs < HEALTH_LIMITS.circuitWindowMs) {
  throw new RangeError("circuitOpenMs must not be shorter than circuitWindowMs");
}
