/** The numbers that tune erasures. They set how fast an erasure proceeds, and how much it loads the service. */
export const ERASURE_TUNING = {
  lookIntervalMs: 2000,
  /** The most rows of a table that one transaction removes. */
  stepRowsMax: 1000,
  /**
   * The most decisions of a merchant that one transaction removes. The transaction compresses the rest of their
   * document blocks again.
   */
  decisionsMax: 200,
  /** The most document blocks that one transaction holds in memory. A block can have megabytes. */
  segmentsMax: 16,
  /** A step is followed by a rest as long as the step took, but not longer than this. */
  restMsMax: 200,
  /**
   * How many times an attempt checks a condition, for example whether older transactions have ended. If the condition
   * still does not hold, the attempt fails, and another one follows.
   */
  settleAttemptsMax: 600,
  settlePauseMs: 50,
  /** The wait before an erasure removes changes from the feed, so that every node has read them. */
  changesReadMs: 2500,
  /** How many times an attempt removes a workspace's rows, because new rows may arrive during the removal. */
  roundsMax: 5,
  /** An erasure that failed this many times is not tried again until an administrator requests it again. */
  attemptsMax: 10,
  retrySeconds: 30,
  statementTimeoutMs: 600_000,
  heapMibMax: 512,
} as const;
