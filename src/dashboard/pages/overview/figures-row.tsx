import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatCount, formatLatency, formatPerSecond, formatRate } from "../../design/base/format.js";
import { Figure, Figures } from "../../design/charts/figures.js";
import { PlaceLink } from "../../shell/mode.js";
import type { Range } from "../../../domain/vocabulary/range.js";
import { LATENCY_BUDGET_MS } from "../../explain/latency-text.js";

/** DASH-44: returns the address of the analytics page, which breaks down the same decisions. */
function slicesAddress(range: Range): string {
  return `/analytics?range=${range}`;
}

interface FiguresRowProps {
  summary: AnalyticsSummary | undefined;
  range: Range;
  /** The latest sample. Undefined before the second answer. */
  perSecond: number | undefined;
}

/** Shows the four most important figures. */
export function FiguresRow({ summary, range, perSecond }: FiguresRowProps) {
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
        value={
          summary && <PlaceLink to={slicesAddress(range)}>{formatRate(summary.approval_rate)}</PlaceLink>
        }
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
