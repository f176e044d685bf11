import { useMemo } from "react";
import type { AnalyticsSummary } from "../../api/wire-types.js";
import { formatCount } from "../../design/base/format.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { TimeChart, type TimeSeries } from "../../design/charts/time-chart.js";

const HEIGHT_PX = 210;
export const VOLUME_LEGEND = [
  { label: "Decisions", token: "--series-5" },
  { label: "Approval rate", token: "--series-3" },
] as const;

/** DASH-29: the service counts days and months in UTC. This note says so if another zone is chosen. */
export function utcNote(summary: AnalyticsSummary | undefined): string | undefined {
  return summary === undefined || summary.series_interval === "hour"
    ? undefined
    : `${summary.series_interval}s are UTC`;
}

/** Shows decisions and the approval rate of a range, step by step. */
export function VolumeChart({ summary }: { summary: AnalyticsSummary | undefined }) {
  const points = summary?.series;
  const times = useMemo(() => points?.map(({ start }) => Date.parse(start) / 1000) ?? [], [points]);
  const series = useMemo<TimeSeries[]>(
    () => [
      {
        ...VOLUME_LEGEND[0],
        kind: "bars",
        scale: "count",
        format: formatCount,
        values: points?.map(({ total }) => total) ?? [],
      },
      {
        ...VOLUME_LEGEND[1],
        kind: "line",
        scale: "rate",
        format: (rate) => `${Math.round(rate * 100)}%`,
        values: points?.map(({ approval_rate }) => approval_rate) ?? [],
      },
    ],
    [points],
  );
  if (summary === undefined) return <Skeleton heightPx={HEIGHT_PX} />;
  return (
    <TimeChart
      label={`Decisions and approval rate by ${summary.series_interval}`}
      heightPx={HEIGHT_PX}
      times={times}
      series={series}
      isUtc={summary.series_interval !== "hour"}
    />
  );
}
