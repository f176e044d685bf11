import { LineFrame } from "./line-frame.js";

interface SparklineProps {
  /** Oldest first. */
  values: readonly number[];
  /** The number of values that fill the width. Fewer values are aligned right. */
  capacity: number;
  min: number;
  max: number;
}

const WIDTH = 64;
const HEIGHT = 18;
const EDGE = 1.5;

/** A line without axes, in the colour of the surrounding text. It decorates a figure. */
export function Sparkline({ values, capacity, min, max }: SparklineProps) {
  const shown = values.slice(-capacity);
  const xOf = (at: number): number =>
    WIDTH - EDGE - ((shown.length - 1 - at) * (WIDTH - 2 * EDGE)) / (capacity - 1);
  const yOf = (value: number): number => EDGE + (1 - (value - min) / (max - min)) * (HEIGHT - 2 * EDGE);
  const points = shown.map((value, at) => `${xOf(at).toFixed(1)} ${yOf(value).toFixed(1)}`);
  return (
    <LineFrame
      className="sparkline"
      width={WIDTH}
      height={HEIGHT}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {/* One value is a dot: a line without length, with round ends. */}
      <path
        vectorEffect="non-scaling-stroke"
        d={points.length === 0 ? "" : `M${points.join("L")}${points.length === 1 ? "h0" : ""}`}
      />
    </LineFrame>
  );
}
