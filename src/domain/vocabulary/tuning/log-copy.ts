/**
 * The numbers that tune the log's copy in ClickHouse (ANALYTICS_URL). The metrics `payinference_analytics_*` show
 * their effects.
 */
export const LOG_COPY = {
  /** How often a node looks for newly stored records. ClickHouse works best with few large inserts. */
  lookIntervalMs: 1000,
  /**
   * The most decisions and outcomes of one insert. A single batch with more rows is still one insert. All documents of
   * an insert are in memory at once.
   */
  insertRowsMax: 5000,
  /** The batches that one insert may combine. */
  insertBatchesMax: 512,
  requestTimeoutMs: 30_000,
  statementTimeoutMs: 30_000,
  /** The pause after a failure doubles from the first of these numbers to the second. */
  retryMsMin: 1000,
  retryMsMax: 30_000,
  /** A node holds a lane's lease for this long. It renews the lease before each insert. */
  leaseSeconds: 90,
  /** Another node takes over a lane when a batch has waited in it for this long. */
  othersAfterSeconds: 120,
  /**
   * A batch that ClickHouse has not accepted for this long is dropped from the queue. Reconciliation copies its records
   * later. The queue takes 32 bytes for 32 decisions.
   */
  keptSeconds: 7 * 24 * 3600,
  sweepIntervalMs: 60_000,
  /** How often a node removes rows that are older than a workspace's own limit. */
  ownLimitsIntervalMs: 24 * 3600 * 1000,
  /** One of these connections holds the lock of a copy. */
  connectionsMax: 3,
  /** Reconciliation ignores records younger than this, because nodes may still be storing others of the same time. */
  settledAfterMs: 300_000,
} as const;

if (1000 * LOG_COPY.leaseSeconds < LOG_COPY.requestTimeoutMs + LOG_COPY.statementTimeoutMs) {
  throw new RangeError("leaseSeconds must outlast an insert");
}
