/** The numbers of reads that go beyond what PostgreSQL keeps, to ClickHouse (ANALYTICS_URL). */
export const OLDER_LOG = {
  /** Of a thread. A read holds a connection of PostgreSQL meanwhile, and the others are for reads that need no ClickHouse. */
  atOnceMax: 2,
  /** The share of a read's time that one query may take. The rest is PostgreSQL's and the answer's. */
  readShare: 0.6,
  /** The share of a query's time after which the server stops it. */
  serverShare: 0.9,
  /** A page of an export may take longer than a read. */
  exportTimeoutMs: 30_000,
  /** Failures in a row after which nothing is asked for a while. */
  failuresMax: 3,
  /** The pause doubles from the one to the other. A single query then tries whether ClickHouse is back. */
  pauseMsMin: 1000,
  pauseMsMax: 30_000,
} as const;
