import { useMemo } from "react";
import { formatPerSecond } from "../../design/base/format.js";
import { TimeChart, type TimeSeries } from "../../design/charts/time-chart.js";
import type { RateSamples } from "./use-rate-samples.js";

const HEIGHT_PX = 226;
const SPAN_SECONDS_MIN = 60;

/** Shows decisions per second since the page was opened. */
export function RateChart({ samples }: { samples: RateSamples }) {
  const series = useMemo<TimeSeries[]>(
    () => [
      {
        label: "Decisions per second",
        token: "--series-1",
        kind: "area",
        scale: "count",
        format: formatPerSecond,
        values: samples.perSecond,
      },
    ],
    [samples],
  );
  if (samples.times.length < 2) {
    return (
      <p className="chart-wait" style={{ height: HEIGHT_PX }}>
        Measured while this page is open: the line begins in a few seconds.
      </p>
    );
  }
  return (
    <TimeChart
      label="Decisions per second, since this page was opened"
      heightPx={HEIGHT_PX}
      times={samples.times}
      spanSecondsMin={SPAN_SECONDS_MIN}
      series={series}
    />
  );
}
