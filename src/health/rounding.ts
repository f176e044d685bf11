/** Rounds half up to 2 decimals: scores and confidences on the wire. */
export function roundTo2(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Rounds half up to 6 decimals: rates on the wire. */
export function roundTo6(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
