/**
 * The numbers that tune erasures. They set how soon an erasure is done, and how much it loads the service meanwhile.
 */
export const ERASURE_TUNING = {
  lookIntervalMs: 2000,
  /** The rows of a table that one transaction removes. */
  stepRowsMax: 1000,
  /** The decisions of a merchant that one transaction removes. Each transaction compresses their documents anew. */
  decisionsMax: 200,
  /** The blocks of documents that one transaction holds in memory. A block can have megabytes. */
  segmentsMax: 16,
  /** A step is followed by a rest as long as the step took, but not longer than this. */
  restMsMax: 200,
  /**
   * An attempt checks a condition this many times, for example whether older transactions have ended. Then it fails,
   * and another attempt follows.
   */
  settleAttemptsMax: 600,
  settlePauseMs: 50,
  /** The pause in which every node reads the changes, before they are removed from the feed. */
  changesReadMs: 2500,
  /** An attempt removes a workspace's rows this many times, because new rows may arrive meanwhile. */
  roundsMax: 5,
  /** An erasure that failed this many times is not tried again until an administrator requests it again. */
  attemptsMax: 10,
  retrySeconds: 30,
  statementTimeoutMs: 600_000,
  lockTimeoutMs: 2000,
  heapMibMax: 512,
} as const;
