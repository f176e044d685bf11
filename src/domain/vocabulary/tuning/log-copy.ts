/** The tuning of the log's copy in ClickHouse (ANALYTICS_URL). `payinference_analytics_*` shows its effects. */
export const LOG_COPY = {
  /** How often a node looks for newly stored records. ClickHouse works best with few large inserts. */
  lookIntervalMs: 1000,
  /**
   * The most decisions and outcomes of one insert, unless a single batch has more. Their documents are in memory at the
   * same time.
   */
  insertRowsMax: 5000,
  /** Batches that are looked through for one insert. */
  insertBatchesMax: 512,
  requestTimeoutMs: 30_000,
  statementTimeoutMs: 30_000,
  /** The pause after a failure doubles from the one to the other. */
  retryMsMin: 1000,
  retryMsMax: 30_000,
  /** A node owns a lane for this long. It renews the lease before each insert. */
  leaseSeconds: 90,
  /** A node takes over another node's lane after this long without its owner. */
  othersAfterSeconds: 120,
  /** Reconciliation copies what ClickHouse has not accepted by then. A node notes 32 bytes for 32 decisions. */
  keptSeconds: 7 * 24 * 3600,
  sweepIntervalMs: 60_000,
  /** How often a node removes what is past a workspace's own limit. */
  ownLimitsIntervalMs: 24 * 3600 * 1000,
  connectionsMax: 2,
  /** Reconciliation leaves out younger records, because a node may still store them. */
  settledAfterMs: 300_000,
} as const;

if (1000 * LOG_COPY.leaseSeconds < LOG_COPY.requestTimeoutMs + LOG_COPY.statementTimeoutMs) {
  throw new RangeError("leaseSeconds must outlast an insert");
}
