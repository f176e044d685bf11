import { HEIGHT, loneStepsPath, rateLinePath, WIDTH } from "./rate-line-path.js";

interface RateLineProps {
  /** Oldest first, from 0 to 1. Null marks a gap. The rates fill the width. */
  rates: readonly (number | null)[];
  /** The chart in words. */
  text: string;
}

/** A small line of a rate between 0 and 1, with gaps for missing rates. Its size never changes. */
export function RateLine({ rates, text }: RateLineProps) {
  return (
    <svg
      className="rate-line"
      role="img"
      aria-label={text}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={rateLinePath(rates)} />
      <path d={loneStepsPath(rates)} strokeWidth="4" />
    </svg>
  );
}
