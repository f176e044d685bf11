import type { AnalyticsSummary } from "../../api/wire-figures.js";
import { formatCount, formatLatency, formatPerSecond, formatRate } from "../../design/format.js";
import { Skeleton } from "../../design/skeleton.js";
import { LATENCY_BUDGET_MS } from "./latency-budget.js";

interface FiguresRowProps {
  summary: AnalyticsSummary | undefined;
  /** Of the last look; undefined before the second one. */
  perSecond: number | undefined;
}

/** The four figures that are looked at first. */
export function FiguresRow({ summary, perSecond }: FiguresRowProps) {
  return (
    <dl className="figures">
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
    </dl>
  );
}

function Figure({
  title,
  value,
  note,
}: {
  title: string;
  value: string | undefined;
  note: string | undefined;
}) {
  return (
    <div className="figure">
      <dt className="figure-title">{title}</dt>
      <dd className="figure-value">{value ?? <Skeleton heightPx={26} widthPx={104} />}</dd>
      <dd className="figure-note">{note ?? <Skeleton heightPx={14} widthPx={140} />}</dd>
    </div>
  );
}
