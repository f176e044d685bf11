/** The threads that read the log in ClickHouse, as a label of the metrics. */
export const OLDER_LOG_READERS = ["reader", "exports"] as const;
export type OlderLogReader = (typeof OLDER_LOG_READERS)[number];

/**
 * The results of queries to ClickHouse, as a label of the metrics. `too_heavy`: the server stopped the query for its
 * cost. `refused`: too many queries were running, or ClickHouse had just failed several times, so nothing was sent.
 */
export const OLDER_QUERY_RESULTS = ["ok", "error", "too_heavy", "refused"] as const;
type OlderQueryResult = (typeof OLDER_QUERY_RESULTS)[number];

/** CH-23: how one query of the older log ended. */
export interface OlderQuery {
  result: OlderQueryResult;
  /** 0 if nothing was sent. */
  seconds: number;
}
