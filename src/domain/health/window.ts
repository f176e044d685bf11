import { LATENCY_BINS, latencyBin, latencyQuantile } from "../statistics/latency-histogram.js";
import { HEALTH_LIMITS } from "./limits.js";

/** The result of one attempt at a provider. A bucket has one column for each kind, in this order. */
export const SAMPLE_KINDS = [
  "approved",
  "soft_declined",
  "hard_declined",
  "timeout",
  "error_5xx",
  "throttled_429",
] as const;
export type SampleKind = (typeof SAMPLE_KINDS)[number];

const COLUMN = Object.fromEntries(SAMPLE_KINDS.map((kind, column) => [kind, column])) as Record<
  SampleKind,
  number
>;
const COLUMNS = SAMPLE_KINDS.length;
const BUCKETS = HEALTH_LIMITS.windowMs / HEALTH_LIMITS.bucketMs;
const BIN_COUNT_MAX = 0xffff;

/** OUT-4: technical_failed, timeout and rate_limited count as technical failures for health. */
const TECHNICAL_FAILURE = {
  approved: false,
  soft_declined: false,
  hard_declined: false,
  timeout: true,
  error_5xx: true,
  throttled_429: true,
} as const satisfies Record<SampleKind, boolean>;

export function isTechnicalFailure(kind: SampleKind): boolean {
  return TECHNICAL_FAILURE[kind];
}

/** The counts of one window, or the sums of several. `p95LatencyMs` is 0 without samples. */
export interface WindowSummary {
  samples: number;
  approvals: number;
  softDeclines: number;
  hardDeclines: number;
  timeouts: number;
  errors5xx: number;
  throttled429: number;
  p95LatencyMs: number;
  /** Unix milliseconds of the newest sample ever added, or `-Infinity` without any. */
  lastSampleAtMs: number;
}

/**
 * HLTH-12: the sliding window of one segment. Buckets start at multiples of 10 s. The window has the current bucket
 * and the 29 before it, which is 290 to 300 s. Memory is bounded: totals are kept up to date, and a bucket allocates
 * its latency bins with its first sample.
 */
export class SegmentWindow {
  private readonly counts = new Uint32Array(BUCKETS * COLUMNS);
  private readonly totals = new Uint32Array(COLUMNS);
  private readonly latency: (Uint16Array | undefined)[] = Array.from({ length: BUCKETS }, () => undefined);
  private readonly latencyTotals = new Uint32Array(LATENCY_BINS);
  private newestBucket = -Infinity;
  private lastAtMs = -Infinity;

  /** Adds one sample. Returns false if it is older than the window. A newer sample moves the window. */
  add(atMs: number, kind: SampleKind, latencyMs: number): boolean {
    const bucket = Math.floor(atMs / HEALTH_LIMITS.bucketMs);
    if (bucket > this.newestBucket) this.moveTo(bucket);
    else if (bucket <= this.newestBucket - BUCKETS) return false;
    const slot = slotOf(bucket);
    const column = COLUMN[kind];
    (this.counts[slot * COLUMNS + column] as number)++;
    (this.totals[column] as number)++;
    const bins = (this.latency[slot] ??= new Uint16Array(LATENCY_BINS));
    const bin = latencyBin(latencyMs);
    // A full bin ignores further samples. Its share of the distribution is clear by then, and `totals` stays exact.
    if ((bins[bin] as number) < BIN_COUNT_MAX) {
      (bins[bin] as number)++;
      (this.latencyTotals[bin] as number)++;
    }
    if (atMs > this.lastAtMs) this.lastAtMs = atMs;
    return true;
  }

  /** Drops the buckets that have left the window at `nowMs`. */
  advance(nowMs: number): void {
    const bucket = Math.floor(nowMs / HEALTH_LIMITS.bucketMs);
    if (bucket > this.newestBucket) this.moveTo(bucket);
  }

  get samples(): number {
    let samples = 0;
    for (const total of this.totals) samples += total;
    return samples;
  }

  /** Returns the sum of `windows`. The caller must have advanced all of them to the same time. */
  static summarize(windows: readonly SegmentWindow[]): WindowSummary {
    const sum = (kind: SampleKind): number => {
      let total = 0;
      for (const window of windows) total += window.totals[COLUMN[kind]] as number;
      return total;
    };
    const summary = {
      samples: 0,
      approvals: sum("approved"),
      softDeclines: sum("soft_declined"),
      hardDeclines: sum("hard_declined"),
      timeouts: sum("timeout"),
      errors5xx: sum("error_5xx"),
      throttled429: sum("throttled_429"),
      p95LatencyMs: latencyQuantile(
        windows.map((window) => window.latencyTotals),
        0.95,
      ),
      lastSampleAtMs: -Infinity,
    };
    for (const window of windows) {
      summary.samples += window.samples;
      summary.lastSampleAtMs = Math.max(summary.lastSampleAtMs, window.lastAtMs);
    }
    return summary;
  }

  private moveTo(bucket: number): void {
    const first = Math.max(this.newestBucket + 1, bucket - BUCKETS + 1);
    for (let entering = first; entering <= bucket; entering++) this.clear(slotOf(entering));
    this.newestBucket = bucket;
  }

  private clear(slot: number): void {
    for (let column = 0; column < COLUMNS; column++) {
      const at = slot * COLUMNS + column;
      (this.totals[column] as number) -= this.counts[at] as number;
      this.counts[at] = 0;
    }
    const bins = this.latency[slot];
    if (bins === undefined) return;
    for (let bin = 0; bin < LATENCY_BINS; bin++) (this.latencyTotals[bin] as number) -= bins[bin] as number;
    bins.fill(0);
  }
}

function slotOf(bucket: number): number {
  return ((bucket % BUCKETS) + BUCKETS) % BUCKETS;
}
