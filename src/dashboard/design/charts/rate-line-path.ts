export const WIDTH = 96;
export const HEIGHT = 22;
const EDGE = 2;

/** A step that stands alone is a dot: a line without length, with round ends. */
export function rateLinePath(rates: readonly (number | null)[]): string {
  const stepPx = (WIDTH - 2 * EDGE) / Math.max(1, rates.length - 1);
  let path = "";
  for (const [at, rate] of rates.entries()) {
    if (rate === null) continue;
    const isBegun = at > 0 && rates[at - 1] !== null;
    const point = `${(EDGE + at * stepPx).toFixed(1)} ${(EDGE + (1 - rate) * (HEIGHT - 2 * EDGE)).toFixed(1)}`;
    path += isBegun ? `L${point}` : `M${point}h0`;
  }
  return path;
}
