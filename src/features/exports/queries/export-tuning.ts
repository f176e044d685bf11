/** The tuning of exports. A customer notices how soon one begins, and an operator its connections. */
export const EXPORT_TUNING = {
  lookIntervalMs: 1000,
  sweepIntervalMs: 60_000,
  /** Exports that one sweep expires. */
  sweepRowsMax: 100,
  /** Exports that a node makes at a time. */
  atOnceMax: 2,
  /** The thread's connections for writing. Each export has another one for reading. */
  connectionsMax: 4,
  leaseSeconds: 30,
  leaseRenewMs: 5_000,
  /** Starts of one export until it fails. */
  attemptsMax: 5,
  /** The rows of a page. Their documents are in memory decoded. */
  pageRows: 2000,
  /** The rows of a row group of Parquet, which is in memory as a whole. */
  rowGroupRows: 20_000,
  /** The bytes that are stored and served as one piece. */
  chunkBytes: 256 * 1024,
  statementTimeoutMs: 60_000,
} as const;

if (EXPORT_TUNING.leaseRenewMs * 2 >= EXPORT_TUNING.leaseSeconds * 1000) {
  throw new RangeError("leaseRenewMs must be less than half of leaseSeconds: one renewal may fail");
}
