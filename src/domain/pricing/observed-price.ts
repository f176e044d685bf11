import type { PricedSegment } from "./pricing-contract.js";

/** A price fitted to the fees that a provider reported through webhooks. */
export interface ObservedPrice extends PricedSegment {
  /** 0..10 000, two decimals. */
  readonly percentage_bps: number;
  /** Minor units. */
  readonly fixed_minor: number;
  /** The number of fees that the price was fitted to. */
  readonly sample_size: number;
  /** The median distance of the fitted fees from the price, in basis points of their amounts. */
  readonly median_error_bps: number;
}

// COST-4: within these bounds, an observed price counts as real pricing.
const REAL_SAMPLES_MIN = 200;
const REAL_ERROR_BPS_MAX = 15;
/** With fewer fees, an observed price is not even used as an estimate. */
const ESTIMATE_SAMPLES_MIN = 20;
/** With this many samples, the confidence is half of its maximum, as for provider health. */
const HALF_CONFIDENCE_SAMPLES = 50;

export function isRealObservation({ sample_size, median_error_bps }: ObservedPrice): boolean {
  return sample_size >= REAL_SAMPLES_MIN && median_error_bps <= REAL_ERROR_BPS_MAX;
}

export function isEstimate({ sample_size }: ObservedPrice): boolean {
  return sample_size >= ESTIMATE_SAMPLES_MIN;
}

/** 0..100. The confidence grows with the samples. At an error of REAL_ERROR_BPS_MAX it is halved. */
export function observationConfidence({ sample_size, median_error_bps }: ObservedPrice): number {
  const share = sample_size / (sample_size + HALF_CONFIDENCE_SAMPLES);
  const precision = 1 / (1 + median_error_bps / REAL_ERROR_BPS_MAX);
  return Math.round(10_000 * share * precision) / 100;
}
