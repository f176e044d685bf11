/** The purposes of round trips to the cache, as a label of the metrics. */
export const CACHE_OPERATIONS = ["rate_window", "claim", "store", "release", "announce", "mirror"] as const;
export type CacheOperation = (typeof CACHE_OPERATIONS)[number];

/**
 * The results of round trips to the cache, as a label of the metrics. `skipped` means that the cache was known to be
 * away, so nothing was sent.
 */
export const CACHE_RESULTS = ["ok", "timeout", "error", "skipped"] as const;
export type CacheResult = (typeof CACHE_RESULTS)[number];

export interface CacheRoundTrip {
  operation: CacheOperation;
  result: CacheResult;
  /** 0 if nothing was sent. */
  seconds: number;
}
