import type { AnalyticsGroup, AnalyticsSummary } from "../../api/wire-types.js";
import { RateLine } from "../../design/charts/rate-line.js";
import { trendText } from "./trend-text.js";

export interface Trend {
  /** The start of each step, oldest first. */
  steps: readonly string[];
  interval: AnalyticsSummary["series_interval"];
}

interface RateTrendProps {
  series: NonNullable<AnalyticsGroup["series"]>;
  trend: Trend;
}

/** DASH-45: shows a group's approval rate over the steps. */
export function RateTrend({ series, trend: { steps, interval } }: RateTrendProps) {
  const rates = series.map(({ with_outcome, approved }) =>
    with_outcome === 0 ? null : approved / with_outcome,
  );
  return <RateLine rates={rates} text={trendText(rates, steps, interval)} />;
}
