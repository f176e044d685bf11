/** Half up to 2 decimals, as people round: scores, confidences and money on the wire. -0 never comes out. */
export function roundTo2(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

/** Half up to 6 decimals: rates and probabilities on the wire. */
export function roundTo6(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
