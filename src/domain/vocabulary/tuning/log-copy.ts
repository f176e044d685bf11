/** The numbers of the log's copy in ClickHouse (ANALYTICS_URL). `payinference_analytics_*` shows what they lead to. */
export const LOG_COPY = {
  /** How often a node looks for what it has stored since. ClickHouse wants few large inserts. */
  lookIntervalMs: 1000,
  /** Decisions and outcomes of one insert, unless one batch has more. Their documents are in memory at once. */
  insertRowsMax: 5000,
  /** Batches that are looked through for one insert. */
  insertBatchesMax: 512,
  requestTimeoutMs: 30_000,
  statementTimeoutMs: 30_000,
  /** The pause after a failure doubles from the one to the other. */
  retryMsMin: 1000,
  retryMsMax: 30_000,
  /** A node has a lane to itself for so long. It asks again before each insert. */
  leaseSeconds: 90,
  /** A lane of another node is taken up where nobody has for so long. */
  othersAfterSeconds: 120,
  /** What ClickHouse has not taken by then is left to reconciliation. A node notes 32 bytes for 32 decisions. */
  keptSeconds: 7 * 24 * 3600,
  sweepIntervalMs: 60_000,
  /** How often a node removes what is past a workspace's own limit. */
  ownLimitsIntervalMs: 24 * 3600 * 1000,
  connectionsMax: 2,
  /** Reconciliation leaves out what is younger: a node may still store it. */
  settledAfterMs: 300_000,
} as const;

if (1000 * LOG_COPY.leaseSeconds < LOG_COPY.requestTimeoutMs + LOG_COPY.statementTimeoutMs) {
  throw new RangeError("leaseSeconds must outlast an insert");
}
