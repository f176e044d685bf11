import { LATENCY_BINS, latencyOfBin } from "./latency-histogram.js";

/** Above this number of half-lives since `originMs`, all weights are made smaller, so that they stay finite. */
const HALF_LIVES_MAX = 64;
/** Shares that differ by no more than this are equal. Nodes add up the same events in different orders. */
const SHARE_ROUNDING = 1e-5;

/** Weights are stored as whole numbers below 2 to this power. More would not fit into a 32-bit float. */
const STORED_BITS = 23;

/**
 * A histogram of latencies that fades with time, in the bins of latency-histogram.ts. New events get larger weights
 * instead of old ones smaller weights. An event therefore touches one bin, where `DecayingCounts` would touch 256.
 */
export class DecayingLatencies {
  /** 1 KiB. Seven digits are enough for a quantile. */
  private readonly bins = new Float32Array(LATENCY_BINS);
  /** Unix milliseconds. An event at this time has the weight 1. */
  private originMs = -Infinity;

  constructor(private readonly halfLifeMs: number) {}

  /** Adds `count` events to a bin that `latencyBin` returned. */
  add(bin: number, count: number, atMs: number): void {
    if (this.originMs === -Infinity) this.originMs = atMs;
    if (atMs - this.originMs > HALF_LIVES_MAX * this.halfLifeMs) this.fadeTo(atMs);
    (this.bins[bin] as number) += count * 2 ** ((atMs - this.originMs) / this.halfLifeMs);
  }

  /** Returns the middle of the bin that contains the nearest-rank quantile, in milliseconds. Null without events. */
  quantile(quantile: number): number | null {
    const { bins } = this;
    let total = 0;
    for (let bin = 0; bin < LATENCY_BINS; bin++) total += bins[bin] as number;
    if (total === 0) return null;
    const aboveMax = (1 - quantile + SHARE_ROUNDING) * total;
    let bin = LATENCY_BINS - 1;
    for (let above = bins[bin] as number; above <= aboveMax && bin > 0; above += bins[bin] as number) bin--;
    return latencyOfBin(bin);
  }

  /**
   * The state as plain numbers: the origin, a unit, the first bin with events, and the weights from it to the last one in
   * that unit. They are whole, because fractions take five times as long to write. Empty without events.
   */
  toJSON(): number[] {
    const { bins } = this;
    const first = bins.findIndex((weight) => weight !== 0);
    if (first < 0) return [];
    const used = bins.subarray(first, bins.findLastIndex((weight) => weight !== 0) + 1);
    // A power of 2, because multiplying by it is exact.
    const unit = 2 ** (Math.ceil(Math.log2(Math.max(...used))) - STORED_BITS);
    return [this.originMs, unit, first, ...Array.from(used, (weight) => Math.round(weight / unit))];
  }

  /** Restores the state that `toJSON` wrote. */
  restore([originMs = -Infinity, unit = 0, first = 0, ...weights]: readonly number[]): void {
    this.originMs = originMs;
    this.bins.fill(0);
    for (const [at, weight] of weights.entries()) this.bins[first + at] = weight * unit;
  }

  /** Moves the origin by whole half-lives, because dividing by a power of 2 is exact. */
  private fadeTo(atMs: number): void {
    const halfLives = Math.floor((atMs - this.originMs) / this.halfLifeMs);
    for (let bin = 0; bin < LATENCY_BINS; bin++) (this.bins[bin] as number) *= 2 ** -halfLives;
    this.originMs += halfLives * this.halfLifeMs;
  }
}
