/** What operators and developers tune of retention. An operator sees how soon a week leaves, and how long readers wait. */
export const RETENTION_TUNING = {
  lookIntervalMs: 600_000,
  /** A lock that is not given within this time is asked for later. A reader waits behind it for so long at most. */
  lockTimeoutMs: 200,
  lockAttemptsMax: 20,
  lockPauseMs: 500,
  /** Writers of a week wait for so long at most while it is looked at whether anybody has written to it. */
  replaceTimeoutMs: 1000,
  /** How long a rewritten week waits for transactions that began before it. */
  snapshotAttemptsMax: 120,
  /** Copying a week may take long. */
  statementTimeoutMs: 3_600_000,
  /** Rows of a table without partitions that one statement removes. */
  sweepRowsMax: 1000,
  /** RET-16: what decisions name stays for so long beyond the oldest of them: clocks differ, and journals may wait. */
  namedKeptMs: 30 * 86_400_000,
  /** RET-9: without a finished run for so long, an alert opens. */
  overdueMs: 86_400_000,
} as const;
