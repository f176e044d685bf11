/** The numbers that tune exports. They set how soon an export begins, and how many connections it uses. */
export const EXPORT_TUNING = {
  lookIntervalMs: 1000,
  sweepIntervalMs: 60_000,
  /** The number of exports that one sweep expires. */
  sweepRowsMax: 100,
  /** The number of exports that a node makes at the same time. */
  atOnceMax: 2,
  /** The thread's connections for writing. Each export has another connection for reading. */
  connectionsMax: 4,
  leaseSeconds: 30,
  leaseRenewMs: 5_000,
  /** The number of attempts after which an export fails. */
  attemptsMax: 5,
  /** The rows of a page. Their decoded documents are in memory together. */
  pageRows: 2000,
  /** The rows of one row group in Parquet. A row group is in memory as a whole. */
  rowGroupRows: 20_000,
  /** The bytes of one stored piece. */
  chunkBytes: 256 * 1024,
  /**
   * From this size on, an export runs at this nice value. A long export occupies a core for minutes, and a thread at
   * `backgroundNice` keeps the front waiting for whole time slices. Short ones are done sooner without it.
   */
  longBytes: 4 * 1024 * 1024,
  longNice: 15,
  statementTimeoutMs: 60_000,
} as const;

if (EXPORT_TUNING.leaseRenewMs * 2 >= EXPORT_TUNING.leaseSeconds * 1000) {
  throw new RangeError("leaseRenewMs must be less than half of leaseSeconds: one renewal may fail");
}
