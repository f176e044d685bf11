import type { Gauge } from "prom-client";
import { tableOf } from "../../domain/vocabulary/table-of.js";
import {
  OLDER_LOG_READERS,
  OLDER_QUERY_RESULTS,
  type OlderLogReader,
  type OlderQuery,
} from "./older-query.js";
import type { BucketHistogram, LabelledCounter } from "./labelled-metrics.js";

/** In seconds. A read has less than two, and a page of an export thirty. */
const QUERY_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Makers {
  histogram(name: string, help: string, bounds: readonly number[]): BucketHistogram;
  counter(name: string, help: string): LabelledCounter;
  gauge(name: string, help: string): Gauge;
}

/** The metrics of the log's copy in ClickHouse (ANALYTICS_URL). They stay 0 if there is no copy. */
export function createLogCopyMetrics({ counter, gauge, histogram }: Makers) {
  const lag = gauge(
    "payinference_analytics_lag_seconds",
    "How long the oldest record that ClickHouse lacks has been in PostgreSQL, over all nodes.",
  );
  const rows = counter(
    "payinference_analytics_rows_total",
    "Rows that this node sent to ClickHouse, by kind.",
  );
  const sent = {
    decision: rows.child({ kind: "decision" }),
    outcome: rows.child({ kind: "outcome" }),
    review: rows.child({ kind: "review" }),
  };
  const failures = counter(
    "payinference_analytics_failures_total",
    "Attempts to copy the log to ClickHouse that failed, by the server that did; each is tried again.",
  );
  const failed = {
    clickhouse: failures.child({ server: "clickhouse" }),
    postgresql: failures.child({ server: "postgresql" }),
  };
  const left = counter(
    "payinference_analytics_records_left_total",
    "Records that ClickHouse did not take in time, and that wait for reconciliation.",
  ).child();
  const queries = counter(
    "payinference_analytics_queries_total",
    "Queries of the log beyond RETENTION_DAYS, by thread and result; a refused one was not sent to ClickHouse.",
  );
  const queryChild = tableOf(OLDER_LOG_READERS, (thread) =>
    tableOf(OLDER_QUERY_RESULTS, (result) => queries.child({ thread, result })),
  );
  const querySeconds = histogram(
    "payinference_analytics_query_duration_seconds",
    "From a query that was sent to ClickHouse to its answer or failure, by thread.",
    QUERY_BOUNDS,
  );
  const querySecondsChild = tableOf(OLDER_LOG_READERS, (thread) => querySeconds.child({ thread }));
  return {
    queried(thread: OlderLogReader, { result, seconds }: OlderQuery): void {
      queryChild[thread][result].add(1);
      if (result !== "refused") querySecondsChild[thread].observe(seconds);
    },
    lag: (seconds: number) => lag.set(seconds),
    sent: (kind: keyof typeof sent, count: number) => sent[kind].add(count),
    failed: (server: keyof typeof failed) => failed[server].add(1),
    left: (records: number) => left.add(records),
  };
}
