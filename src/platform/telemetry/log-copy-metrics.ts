import type { Gauge } from "prom-client";
import type { LabelledCounter } from "./labelled-metrics.js";

interface Makers {
  counter(name: string, help: string): LabelledCounter;
  gauge(name: string, help: string): Gauge;
}

/** The metrics of the log's copy in ClickHouse (ANALYTICS_URL). They stay 0 if there is no copy. */
export function createLogCopyMetrics({ counter, gauge }: Makers) {
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
  return {
    lag: (seconds: number) => lag.set(seconds),
    sent: (kind: keyof typeof sent, count: number) => sent[kind].add(count),
    failed: (server: keyof typeof failed) => failed[server].add(1),
    left: (records: number) => left.add(records),
  };
}
