/** Every number of HLTH-8 to HLTH-26, and the bounds on the memory of provider health. Each name ends with its unit. */
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
   * A circuit that opens again within this time of closing doubles its opening. After this time it starts at
   * circuitOpenMs again.
   */
  circuitBackoffResetMs: 300_000,

  /**
   * The probe period of a segment, whatever PROBE_INTERVAL_MS is. It makes 25 probes in 10 s, so probes alone can open
   * the circuit. It makes 750 probes in a window, which is a confidence of 93.75.
   */
  probePeriodMs: 400,
  /** The time between two ticks while probes are turned off. */
  tickWithoutProbesMs: 1000,

  // Learning from outcomes (HLTH-28 to HLTH-31).
  /** The weight of the prior, in outcomes. The prior is what is known without a segment's own outcomes. */
  shrinkageSamples: 50,
  technicalHalfLifeMs: 300_000,
  approvalHalfLifeMs: 21_600_000,
  /** Counts with this half-life are 3.5 days old on average, like those of a window of 7 days. */
  normalHalfLifeMs: 209_600_000,
  /**
   * The most points that one outcome may cost, by term of the score. A technical failure costs both: by its own term, and
   * as an approval that was lost. A decline costs the second alone.
   */
  failurePointsPerOutcome: 1.25,
  approvalPointsPerOutcome: 0.75,
  // Alerts on what customers felt (ALRT-15 to ALRT-18). Windows are made of blocks of these lengths.
  feltBlocks: 10,
  feltShortBlockMs: 30_000,
  feltLongBlockMs: 360_000,
  approvalDropSamplesMin: 30,
  /** The share by which approvals must be below the usual, 0..1. */
  approvalDropMargin: 0.1,
  /** A fall is critical if the approval rate is certainly below the usual one by at least this much. */
  approvalDropCriticalMargin: 0.3,
  technicalFailuresSamplesMin: 10,
  technicalFailuresMargin: 0.1,
  technicalFailuresCriticalMargin: 0.5,
  /** An open alert closes when the lower bound exceeds the usual share by less than this part of the margin. */
  alertKeepsMarginPart: 0.5,
  /** Nobody reads more alerts than this. The limit also keeps one workspace from filling the shared store. */
  ownerAlertsMax: 200,
  /** An alert about all providers needs at least this many providers with enough answers. */
  issuerProvidersMin: 2,
  issuerProviderSamplesMin: 10,
  /** Each of these providers must account for at least this part of the common fall. */
  issuerProviderFallPart: 0.5,

  // The recovery from failures (HLTH-35).
  /** The share of failures of a provider that is well, 0..1. */
  wellFailureShare: 0.05,
  /** The weight of that share against a level's own outcomes, in outcomes. */
  overcomeSamples: 10,
  /** A segment with a smaller weighted number of failures has no failures to overcome. */
  overcomeFailuresMin: 0.25,
  /** A level with a smaller share of failures counts as well, 0..1. */
  overcomeFailureShareMin: 0.06,
  /**
   * The evidence is a natural logarithm of odds. Odds of up to 20 to 1 may be chance. Above this limit, each unit
   * forgets a larger part of the failures per second, up to a fifth. An answer adds at most 3 units, so it moves a
   * score by less than 2 points.
   */
  overcomeLogOddsMin: 3,
  overcomePerUnit: 0.013,
  overcomePerSecondMax: 0.2,

  /** A segment without news fades, and is judged again at this interval. */
  fadeIntervalMs: 10_000,
  /** A snapshot that did not change is written again after this time, long before it would be stale. */
  restateIntervalMs: 60_000,
  /** A segment is forgotten once this little of its outcomes is left, or less. */
  forgottenSamplesMax: 0.5,

  /**
   * The most segments of all workspaces with their levels, of 3.7 KiB each. When it is exceeded, the segment whose last
   * outcome is the oldest is dropped with its levels.
   */
  levelsMax: 32_768,
  /** HLTH-32: the segments of one workspace and mode, with their levels. */
  ownerLevelsMax: 4096,
} as const;

if (HEALTH_LIMITS.windowMs % HEALTH_LIMITS.bucketMs !== 0) {
  throw new RangeError("windowMs must be a multiple of bucketMs");
}
if (HEALTH_LIMITS.circuitWindowMs % HEALTH_LIMITS.circuitSlotMs !== 0) {
  throw new RangeError("circuitWindowMs must be a multiple of circuitSlotMs");
}
// The trailing window is shorter than its length by up to one slot, because the youngest slot is only partly over.
const circuitProbesMin = Math.floor(
  (HEALTH_LIMITS.circuitWindowMs - HEALTH_LIMITS.circuitSlotMs) / HEALTH_LIMITS.probePeriodMs,
);
if (circuitProbesMin < HEALTH_LIMITS.circuitSamplesMin) {
  throw new RangeError("probePeriodMs is too long for probes alone to open a circuit");
}
// The failures that tripped a circuit must leave the trailing window before the circuit can close again.
if (HEALTH_LIMITS.circuitOpenMs < HEALTH_LIMITS.circuitWindowMs) {
  throw new RangeError("circuitOpenMs must not be shorter than circuitWindowMs");
}
