/** Rounds half up to 2 decimals, for scores, confidences and money on the wire. It never returns -0. */
export function roundTo2(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

/** Rounds half up to 6 decimals, for rates and probabilities on the wire. */
export function roundTo6(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
