/** Every number of HLTH-8 to HLTH-26 once, and what bounds the memory of provider health. Unit last. */
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
  /** A circuit that opens again within this time of closing keeps doubling; after it, it starts at circuitOpenMs. */
  circuitBackoffResetMs: 300_000,

  /**
   * One synthetic probe per segment each 400 ms whatever PROBE_INTERVAL_MS is: 25 in 10 s, so the circuit can open
   * on probes alone, and 750 in a window, which is a confidence of 93.75.
   */
  probePeriodMs: 400,
  /** Between two ticks where probes are turned off. */
  tickWithoutProbesMs: 1000,

  /** A segment with live outcomes holds at most 16 KiB; the least recently fed goes first. */
  overlaySegmentsMax: 4096,
  /** Decisions remembered as counted: twice as many at most, 60 to 110 bytes each. */
  countedDecisionsMax: 100_000,
  overlayIdleMs: 900_000,
} as const;

if (HEALTH_LIMITS.windowMs % HEALTH_LIMITS.bucketMs !== 0) {
  throw new RangeError("windowMs must be a multiple of bucketMs");
}
if (HEALTH_LIMITS.circuitWindowMs % HEALTH_LIMITS.circuitSlotMs !== 0) {
  throw new RangeError("circuitWindowMs must be a multiple of circuitSlotMs");
}
// The trailing window holds all but the youngest part of one slot.
const circuitProbesMin = Math.floor(
  (HEALTH_LIMITS.circuitWindowMs - HEALTH_LIMITS.circuitSlotMs) / HEALTH_LIMITS.probePeriodMs,
);
if (circuitProbesMin < HEALTH_LIMITS.circuitSamplesMin) {
  throw new RangeError("probePeriodMs is too long for probes alone to open a circuit");
}
// What tripped a circuit must have left the trailing window before it can close again.
if (HEALTH_LIMITS.circuitOpenMs < HEALTH_LIMITS.circuitWindowMs) {
  throw new RangeError("circuitOpenMs must not be shorter than circuitWindowMs");
}
