import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatLatency } from "../../design/base/format.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { LATENCY_BUDGET_MS } from "../../explain/latency-text.js";

const PERCENTILES = [
  { name: "p50", field: "p50_latency_ms" },
  { name: "p95", field: "p95_latency_ms" },
  { name: "p99", field: "p99_latency_ms" },
] as const;

/** Shows percentiles of the latency on a bar whose whole width is the budget. */
export function LatencyBudget({ summary }: { summary: AnalyticsSummary | undefined }) {
  return (
    <ul className="budget">
      {PERCENTILES.map(({ name, field }) => {
        if (summary === undefined) {
          return (
            <li key={name}>
              <Skeleton heightPx={39} />
            </li>
          );
        }
        const latencyMs = summary[field];
        const share = (latencyMs ?? 0) / LATENCY_BUDGET_MS;
        const tone = share > 1 ? "--critical" : share > 0.8 ? "--watch" : "--good";
        return (
          <li key={name} className="budget-row">
            <span className="budget-name">{name}</span>
            <span className="budget-value">{formatLatency(latencyMs)}</span>
            <span className="budget-share">
              {latencyMs === null ? "No decisions" : `${Math.round(share * 100)} % of budget`}
            </span>
            <span className="budget-track">
              <span
                className="budget-fill"
                style={{ width: `${Math.min(share, 1) * 100}%`, background: `var(${tone})` }}
              />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
