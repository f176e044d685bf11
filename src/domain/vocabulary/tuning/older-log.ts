/** The numbers of reads that go beyond what PostgreSQL keeps, to ClickHouse (ANALYTICS_URL). */
export const OLDER_LOG = {
  /**
   * The most reads of ClickHouse that a thread makes at once. Each also holds a connection of PostgreSQL. The other
   * connections are for reads without ClickHouse.
   */
  atOnceMax: 2,
  /** The share of a read's time that one query may take. The rest is PostgreSQL's and the answer's. */
  readShare: 0.6,
  /** The share of a query's time after which the server stops it. */
  serverShare: 0.9,
  /** A page of an export may take longer than a read. */
  exportTimeoutMs: 30_000,
  /** Failures in a row after which nothing is asked for a while. */
  failuresMax: 3,
  /** The pause doubles from the first number to the second. Then a single query tries whether ClickHouse is back. */
  pauseMsMin: 1000,
  pauseMsMax: 30_000,
} as const;
