import { LATENCY_BINS, latencyOfBin } from "./latency-histogram.js";

/** Above this number of half-lives since `originMs`, all weights are made smaller, so that they stay finite. */
const HALF_LIVES_MAX = 64;
/** Shares that differ by no more than this are equal. Nodes add up the same events in different orders. */
const SHARE_ROUNDING = 1e-5;
/** Enough for `SHARE_ROUNDING`, and short as text. */
const STORED_DIGITS = 7;

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

  /** The state as plain numbers: the origin, then each bin with events and its weight. Empty without events. */
  toJSON(): number[] {
    const stored = [...this.bins].flatMap((weight, bin) =>
      weight === 0 ? [] : [bin, Number(weight.toPrecision(STORED_DIGITS))],
    );
    return stored.length === 0 ? [] : [this.originMs, ...stored];
  }

  /** Restores the state that `toJSON` wrote. */
  restore([originMs = -Infinity, ...stored]: readonly number[]): void {
    this.originMs = originMs;
    this.bins.fill(0);
    for (let at = 0; at + 1 < stored.length; at += 2)
      this.bins[stored[at] as number] = stored[at + 1] as number;
  }

  /** Moves the origin by whole half-lives, because dividing by a power of 2 is exact. */
  private fadeTo(atMs: number): void {
    const halfLives = Math.floor((atMs - this.originMs) / this.halfLifeMs);
    for (let bin = 0; bin < LATENCY_BINS; bin++) (this.bins[bin] as number) *= 2 ** -halfLives;
    this.originMs += halfLives * this.halfLifeMs;
  }
}
