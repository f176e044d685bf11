/** The purposes of round trips to the cache. They are a label of the metrics. */
export const CACHE_OPERATIONS = ["rate_window", "claim", "store", "release", "announce", "mirror"] as const;
export type CacheOperation = (typeof CACHE_OPERATIONS)[number];

/**
 * The results of round trips. `skipped` means that the cache was known to be away, so nothing was sent. They are a
 * label of the metrics.
 */
export const CACHE_RESULTS = ["ok", "timeout", "error", "skipped"] as const;
export type CacheResult = (typeof CACHE_RESULTS)[number];

export interface CacheRoundTrip {
  operation: CacheOperation;
  result: CacheResult;
  /** 0 where nothing was sent. */
  seconds: number;
}
