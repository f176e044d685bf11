import type { AnalyticsSummary } from "../../api/wire-types.js";
import { Figure, Figures } from "../../design/charts/figures.js";
import { formatCount, formatLatency, formatRate } from "../../design/base/format.js";

export function AnalyticsFigures({ summary }: { summary: AnalyticsSummary | undefined }) {
  return (
    <Figures>
      <Figure
        title="Decisions"
        value={summary && formatCount(summary.total)}
        note={summary && `${formatCount(summary.with_outcome)} reported`}
      />
      <Figure
        title="Approval rate"
        value={summary && formatRate(summary.approval_rate)}
        note={summary && `${formatCount(summary.approved)} approved`}
      />
      <Figure
        title="Latency p95"
        value={summary && formatLatency(summary.p95_latency_ms)}
        note={summary && `p50 ${formatLatency(summary.p50_latency_ms)}`}
      />
      <Figure
        title="Latency p99"
        value={summary && formatLatency(summary.p99_latency_ms)}
        note={summary && `mean ${formatLatency(summary.avg_latency_ms)}`}
      />
    </Figures>
  );
}
