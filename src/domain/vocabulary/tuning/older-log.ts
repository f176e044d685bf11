/** The numbers for reads of records older than those in PostgreSQL, from ClickHouse (ANALYTICS_URL). */
export const OLDER_LOG = {
  /**
   * The most reads of ClickHouse that a thread makes at once. Each also holds a connection to PostgreSQL. The remaining
   * connections are for reads without ClickHouse.
   */
  atOnceMax: 2,
  /** The share of a read's time that one query to ClickHouse may take. PostgreSQL and the answer get the rest. */
  readShare: 0.6,
  /** The share of a query's time after which ClickHouse stops the query. */
  serverShare: 0.9,
  /** The longest that one page of an export may take. */
  exportTimeoutMs: 30_000,
  /** After this many consecutive failures, ClickHouse is not asked for a while. */
  failuresMax: 3,
  /**
   * The pause without queries doubles from the first of these numbers to the second. After it, a single query tests
   * ClickHouse.
   */
  pauseMsMin: 1000,
  pauseMsMax: 30_000,
} as const;
