/** The quantile of the standard normal distribution for a two-sided interval at 95 %. */
const Z95 = 1.959964;

/**
 * Returns the Wilson bounds of a proportion, 0..1. In 95 of 100 samples, the true share of `events` in `of` is between
 * these bounds. Without observations they are 0 and 1.
 *
 * Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the American
 * Statistical Association 22 (1927).
 */
export function wilsonBounds(events: number, of: number): { lower: number; upper: number } {
  if (of <= 0) return { lower: 0, upper: 1 };
  const share = events / of;
  const square = Z95 ** 2 / of;
  const centre = (share + square / 2) / (1 + square);
  const margin = (Z95 / (1 + square)) * Math.sqrt((share * (1 - share)) / of + square / (4 * of));
  return { lower: Math.max(0, centre - margin), upper: Math.min(1, centre + margin) };
}
