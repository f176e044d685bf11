import { LATENCY_BINS, latencyOfBin } from "./latency-histogram.js";

/** Above this number of half-lives since `originMs`, all weights are made smaller, so that they stay finite. */
const HALF_LIVES_MAX = 64;
/** Shares that differ by no more than this are equal. Nodes add up the same events in different orders. */
const SHARE_ROUNDING = 1e-5;

/**
 * The state as JSON: the origin in Unix milliseconds, the first bin with events, and the weights from it to the last one
 * as the base64 text of 32-bit floats. Numbers as text would take 20 times as long to write. Null without events.
 */
export type StoredLatencies = readonly [originMs: number, firstBin: number, weights: string] | null;

/** True if the value has the form of `StoredLatencies`. */
export function isStoredLatencies(value: unknown): value is StoredLatencies {
  if (value === null) return true;
  if (!Array.isArray(value)) return false;
  const [originMs, firstBin, weights] = value as unknown[];
  return (
    Number.isFinite(originMs) &&
    Number.isInteger(firstBin) &&
    typeof weights === "string" &&
    (firstBin as number) >= 0 &&
    (firstBin as number) + Buffer.byteLength(weights, "base64") / Float32Array.BYTES_PER_ELEMENT <=
      LATENCY_BINS
  );
}

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

  toJSON(): StoredLatencies {
    const { bins } = this;
    const first = bins.findIndex((weight) => weight !== 0);
    if (first < 0) return null;
    const used = bins.subarray(first, bins.findLastIndex((weight) => weight !== 0) + 1);
    return [
      this.originMs,
      first,
      Buffer.from(used.buffer, used.byteOffset, used.byteLength).toString("base64"),
    ];
  }

  /** Restores the state that `toJSON` wrote. */
  restore(stored: StoredLatencies): void {
    this.bins.fill(0);
    const [originMs, first, weights] = stored ?? [-Infinity, 0, ""];
    this.originMs = originMs;
    // A copy, because the bytes of a Buffer may begin anywhere, and those of floats may not.
    const { buffer } = Uint8Array.from(Buffer.from(weights, "base64"));
    this.bins.set(new Float32Array(buffer), first);
  }

  /** Moves the origin by whole half-lives, because dividing by a power of 2 is exact. */
  private fadeTo(atMs: number): void {
    const halfLives = Math.floor((atMs - this.originMs) / this.halfLifeMs);
    for (let bin = 0; bin < LATENCY_BINS; bin++) (this.bins[bin] as number) *= 2 ** -halfLives;
    this.originMs += halfLives * this.halfLifeMs;
  }
}
