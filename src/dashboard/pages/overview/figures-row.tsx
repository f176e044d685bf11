import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatCount, formatLatency, formatPerSecond, formatRate } from "../../design/base/format.js";
import { Figure, Figures } from "../../design/charts/figures.js";
import { LATENCY_BUDGET_MS } from "../../explain/latency-text.js";

interface FiguresRowProps {
  summary: AnalyticsSummary | undefined;
  /** The latest sample. Undefined before the second answer. */
  perSecond: number | undefined;
}

/** Shows the four most important figures. */
export function FiguresRow({ summary, perSecond }: FiguresRowProps) {
  return (
    <Figures>
      <Figure
        title="Decisions"
        value={summary && formatCount(summary.total)}
        note={
          perSecond === undefined ? "Measuring the rate…" : `${formatPerSecond(perSecond)} per second now`
        }
      />
      <Figure
        title="Approval rate"
        value={summary && formatRate(summary.approval_rate)}
        note={summary && `${formatCount(summary.approved)} approved of ${formatCount(summary.with_outcome)}`}
      />
      <Figure
        title="Outcomes reported"
        value={summary && formatRate(summary.feedback_rate)}
        note={summary && `${formatCount(summary.total - summary.with_outcome)} decisions without one`}
      />
      <Figure
        title="Latency p95"
        value={summary && formatLatency(summary.p95_latency_ms)}
        note={`Budget ${LATENCY_BUDGET_MS} ms`}
      />
    </Figures>
  );
}
