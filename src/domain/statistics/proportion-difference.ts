/** A part of a whole. `part` is at most `whole`, which is at least 1. */
export interface Proportion {
  part: number;
  whole: number;
}

/** A difference with its confidence interval. All three are fractions from -1 to 1. */
export interface ProportionDifference {
  difference: number;
  low: number;
  high: number;
}

/** The standard normal quantile of 97.5 %. */
const Z = 1.959963984540054;

/**
 * Returns the difference of two independent proportions, `now` less `before`, with Newcombe's hybrid score interval
 * at 95 %. The interval is valid for small counts, and for proportions of 0 and 1. Source: Newcombe, "Interval
 * estimation for the difference between independent proportions" (1998), method 10.
 */
export function proportionDifference(now: Proportion, before: Proportion): ProportionDifference {
  const [one, other] = [scoreInterval(now), scoreInterval(before)];
  const difference = one.rate - other.rate;
  return {
    difference,
    // The limits of -1 and 1 only remove rounding errors.
    low: Math.max(-1, difference - Math.hypot(one.rate - one.low, other.high - other.rate)),
    high: Math.min(1, difference + Math.hypot(one.high - one.rate, other.rate - other.low)),
  };
}

/** Returns Wilson's score interval, from which Newcombe's interval is computed. */
function scoreInterval({ part, whole }: Proportion): { rate: number; low: number; high: number } {
  const rate = part / whole;
  const middle = 2 * part + Z * Z;
  const spread = Z * Math.sqrt(Z * Z + 4 * part * (1 - rate));
  const scale = 2 * (whole + Z * Z);
  return { rate, low: (middle - spread) / scale, high: (middle + spread) / scale };
}
