import { LineFrame } from "./line-frame.js";
import { HEIGHT, loneStepsPath, rateLinePath, WIDTH } from "./rate-line-path.js";

interface RateLineProps {
  /** Oldest first, from 0 to 1. Null marks a gap. The rates fill the width. */
  rates: readonly (number | null)[];
  /** The chart in words. */
  text: string;
}

/** A small line of a rate between 0 and 1, with gaps for missing rates. */
export function RateLine({ rates, text }: RateLineProps) {
  return (
    <LineFrame className="rate-line" role="img" aria-label={text} width={WIDTH} height={HEIGHT}>
      <path d={rateLinePath(rates)} />
      <path d={loneStepsPath(rates)} strokeWidth="4" />
    </LineFrame>
  );
}
