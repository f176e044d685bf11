import { useEffect, useEffectEvent, useMemo, useRef } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatDay, formatMinute, formatMonth, formatSecond } from "../base/format.js";
import { useTheme } from "../base/theme.js";
import { chosenZone } from "../base/zone.js";
import "./time-chart.css";

export interface TimeSeries {
  label: string;
  /** The custom property of tokens.css with the series' colour. */
  token: `--${string}`;
  kind: "area" | "line" | "bars";
  /** Series with the same scale share an axis. The first series' axis is on the left. */
  scale: "count" | "rate";
  format(value: number): string;
  /** As many values as `times`. Null is a gap. */
  values: readonly (number | null)[];
}

interface TimeChartProps {
  /** Describes the chart to people who cannot see it. */
  label: string;
  heightPx: number;
  /** Unix seconds, ascending. */
  times: readonly number[];
  series: readonly TimeSeries[];
  /** The shortest span to show, so that the first values of a live line are not stretched. */
  spanSecondsMin?: number;
}

const DAY_SECONDS = 86_400;

/** Bars are centred on their moment, so the range gets half a bar more at each end. */
function timeRange(
  { times, series, spanSecondsMin = 0 }: TimeChartProps,
  min: number,
  max: number,
): [number, number] {
  const [first = 0, second = first] = times;
  const edge = series.some(({ kind }) => kind === "bars") ? (second - first) / 2 : 0;
  return [Math.min(min - edge, max - spanSecondsMin), max + edge];
}

function formatTick(seconds: number, { times }: TimeChartProps): string {
  const spanSeconds = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const date = new Date(seconds * 1000);
  if (spanSeconds > 100 * DAY_SECONDS) return formatMonth(date);
  if (spanSeconds > 2 * DAY_SECONDS) return formatDay(date);
  return spanSeconds > DAY_SECONDS / 24 ? formatMinute(date) : formatSecond(date);
}

/** Resolves a custom property to its current colour, because a canvas cannot use custom properties. */
function colourOf(element: HTMLElement, token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Makes an `rgb(…)` colour fainter. `opacity` is from 0 to 1. */
function faint(colour: string, opacity: number): string {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${opacity})`);
}

const AXIS_FONT = "11px ui-sans-serif, system-ui, sans-serif";
const BARS_WIDTH = UPlot.paths.bars?.({ size: [0.62, 42], radius: 0.15 });
const CURVE = UPlot.paths.spline?.();

function optionsFor(element: HTMLElement, props: TimeChartProps): UPlot.Options {
  const axis = { stroke: colourOf(element, "--text-muted"), font: AXIS_FONT, ticks: { show: false } };
  const grid = { stroke: colourOf(element, "--border"), width: 1 };
  const zone = chosenZone();
  const hasRates = props.series.some(({ scale }) => scale === "rate");
  const formatOf = (scale: TimeSeries["scale"]) => (_: UPlot, splits: number[]) =>
    splits.map((value) => props.series.find((series) => series.scale === scale)?.format(value) ?? "");
  return {
    width: element.clientWidth,
    height: props.heightPx,
    padding: [10, hasRates ? 0 : 28, 0, 0],
    legend: { show: false },
    // Puts the ticks at the beginnings of the zone's days and hours.
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), zone),
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: true, range: (_, min, max) => timeRange(props, min, max) },
      count: { range: (_, __, max) => [0, Math.max(max * 1.15, 1)] },
      rate: { range: () => [0, 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 72,
        values: (_, splits) => splits.map((seconds) => formatTick(seconds, props)),
      },
      { ...axis, grid, scale: "count", size: 46, values: formatOf("count") },
      ...(hasRates
        ? [
            {
              ...axis,
              grid: { show: false },
              scale: "rate",
              side: 1 as const,
              size: 48,
              values: formatOf("rate"),
            },
          ]
        : []),
    ],
    series: [
      {},
      ...props.series.map(({ label, token, kind, scale }): UPlot.Series => {
        const colour = colourOf(element, token);
        return {
          label,
          scale,
          stroke: colour,
          width: kind === "bars" ? 0 : 1.75,
          points: { show: kind === "line", size: 5, fill: colour },
          ...(kind === "line" ? {} : { fill: faint(colour, kind === "bars" ? 0.45 : 0.14) }),
          ...(kind === "bars" ? { paths: BARS_WIDTH ?? null } : { paths: CURVE ?? null }),
        } as UPlot.Series;
      }),
    ],
  };
}

/** Draws series over time on a canvas. It has the width of its place and the given height from the first paint on. */
export function TimeChart(props: TimeChartProps) {
  const { scheme } = useTheme();
  const shapes = props.series.map(({ label, token, kind, scale }) => [label, token, kind, scale].join());
  // A mounted chart cannot change these values, so new values mount a new chart.
  return <Canvas key={[scheme, chosenZone(), props.heightPx, ...shapes].join(";")} {...props} />;
}

function Canvas(props: TimeChartProps) {
  const { label, heightPx, times, series } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(null);
  const data = useMemo(() => dataOf(times, series), [times, series]);
  const make = useEffectEvent((element: HTMLElement) => new UPlot(optionsFor(element, props), data, element));
  const fit = useEffectEvent((made: UPlot, width: number) => made.setSize({ width, height: heightPx }));

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = make(element);
    chart.current = made;
    const observer = new ResizeObserver(() => fit(made, element.clientWidth));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, []);

  useEffect(() => chart.current?.setData(data), [data]);

  return (
    <div ref={place} className="time-chart" style={{ height: heightPx }} role="img" aria-label={label} />
  );
}

function dataOf(times: readonly number[], series: readonly TimeSeries[]): UPlot.AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])];
}

/** Explains the colours of a chart. */
export function ChartLegend({ entries }: { entries: readonly { label: string; token: string }[] }) {
  return (
    <ul className="chart-legend">
      {entries.map(({ label, token }) => (
        <li key={label} className="chart-key">
          <span className="chart-swatch" style={{ background: `var(${token})` }} />
          {label}
        </li>
      ))}
    </ul>
  );
}
