export const WIDTH = 96;
export const HEIGHT = 22;
const EDGE = 2;

type Rates = readonly (number | null)[];

/** The path of the line. Steps without a rate interrupt it. */
export function rateLinePath(rates: Rates): string {
  let path = "";
  for (const [at, rate] of rates.entries()) {
    if (rate === null) continue;
    path += `${hasRate(rates, at - 1) ? "L" : "M"}${pointOf(rates, at, rate)}`;
  }
  return path;
}

/** The path of the steps whose neighbours have no rate. Each is a dot: a line without length, with round ends. */
export function loneStepsPath(rates: Rates): string {
  let path = "";
  for (const [at, rate] of rates.entries()) {
    if (rate === null || hasRate(rates, at - 1) || hasRate(rates, at + 1)) continue;
    path += `M${pointOf(rates, at, rate)}h0`;
  }
  return path;
}

function hasRate(rates: Rates, at: number): boolean {
  return (rates[at] ?? null) !== null;
}

function pointOf(rates: Rates, at: number, rate: number): string {
  const stepPx = (WIDTH - 2 * EDGE) / Math.max(1, rates.length - 1);
  return `${(EDGE + at * stepPx).toFixed(1)} ${(EDGE + (1 - rate) * (HEIGHT - 2 * EDGE)).toFixed(1)}`;
}
