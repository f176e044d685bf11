/** The numbers that tune retention. They set how soon a week is removed, and how long readers wait. */
export const RETENTION_TUNING = {
  lookIntervalMs: 600_000,
  /** The longest wait for a lock. Later queries queue behind the waiting lock, so this also limits their delay. */
  lockTimeoutMs: 200,
  lockAttemptsMax: 20,
  lockPauseMs: 500,
  /** How long writers of a week can be blocked while the job checks whether the week was written to. */
  replaceTimeoutMs: 1000,
  /** The pages of a week that one statement copies: some thousand rows. */
  copyPagesMax: 16,
  /** The same for `decision_segments`: each of its rows has up to a megabyte outside of its page. */
  copySegmentPagesMax: 1,
  /** How often a rewritten week checks whether the transactions that began before it have ended. */
  snapshotAttemptsMax: 120,
  /** Detaching a week waits for its readers, and a look at all of its rows takes long. */
  statementTimeoutMs: 3_600_000,
  /** The rows of an unpartitioned table that one statement removes. */
  sweepRowsMax: 1000,
  /**
   * RET-16: rows that decisions refer to are kept for this long beyond the oldest decision. Clocks differ, and
   * journals may still hold decisions.
   */
  namedKeptMs: 30 * 86_400_000,
  /** RET-9: an alert opens after this long without a finished run. */
  overdueMs: 86_400_000,
} as const;
