/** What operators and developers tune of erasures. An operator sees how soon one is done, and what it costs meanwhile. */
export const ERASURE_TUNING = {
  lookIntervalMs: 2000,
  /** Rows of a table that one transaction removes. */
  stepRowsMax: 1000,
  /** Decisions of a merchant that one transaction removes, with their documents, which are compressed anew. */
  decisionsMax: 200,
  /** Blocks of documents that one transaction holds in memory. A block may have megabytes. */
  segmentsMax: 16,
  /** A step is followed by a rest of its own length, and of so long at most. */
  restMsMax: 200,
  /** A transaction that began before the erasure is waited for so long. Then another attempt follows. */
  settleAttemptsMax: 600,
  settlePauseMs: 50,
  /** Nodes read the changes meanwhile, before the feed forgets them. */
  changesReadMs: 2500,
  /** Rows that came in between are looked for so often. */
  roundsMax: 5,
  /** An erasure that failed so often waits until it is asked for again. */
  attemptsMax: 10,
  retrySeconds: 30,
  statementTimeoutMs: 600_000,
  lockTimeoutMs: 2000,
  heapMibMax: 512,
} as const;
