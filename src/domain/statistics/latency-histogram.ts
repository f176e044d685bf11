/**
 * Latencies in 256 log-scale bins from 1 ms to 120 s. Neighbouring bins differ by a factor of 1.047, so a quantile is
 * within 4.7 % of the true sample at that rank. Latencies below 1 ms count as 1 ms, and those over 120 s as 120 s.
 */
export const LATENCY_BINS = 256;
export const LATENCY_MS_MAX = 120_000;

const LAST_BIN = LATENCY_BINS - 1;
const LN_GROWTH = Math.log(LATENCY_MS_MAX) / LAST_BIN;

/** Returns the bin of a latency in milliseconds, 0..255. */
export function latencyBin(latencyMs: number): number {
  if (latencyMs <= 1) return 0;
  if (latencyMs >= LATENCY_MS_MAX) return LAST_BIN;
  return Math.floor(Math.log(latencyMs) / LN_GROWTH);
}

/** Returns the middle of a bin in milliseconds. */
export function latencyOfBin(bin: number): number {
  return bin >= LAST_BIN ? LATENCY_MS_MAX : Math.exp(LN_GROWTH * (bin + 0.5));
}

/**
 * Returns the nearest-rank quantile of the sum of several histograms, in milliseconds. It assumes that the samples of a
 * bin are evenly spread on the log scale. 0 without samples.
 */
export function latencyQuantile(histograms: readonly Uint32Array[], quantile: number): number {
  let total = 0;
  for (const counts of histograms)
    for (let bin = 0; bin < LATENCY_BINS; bin++) total += counts[bin] as number;
  if (total === 0) return 0;
  const rank = Math.max(1, Math.ceil(quantile * total));
  let below = 0;
  for (let bin = 0; bin < LATENCY_BINS; bin++) {
    let inBin = 0;
    for (const counts of histograms) inBin += counts[bin] as number;
    if (below + inBin >= rank) {
      if (bin === LAST_BIN) return LATENCY_MS_MAX;
      return Math.exp(LN_GROWTH * (bin + (rank - below - 0.5) / inBin));
    }
    below += inBin;
  }
  return LATENCY_MS_MAX;
}
