/** EVT-7: the pauses after the first attempt, the second and so on. They grow, and add up to 24 hours. */
export const RETRY_PAUSES_SECONDS = [
  5, 30, 120, 600, 1800, 3600, 7200, 10_800, 14_400, 21_600, 26_245,
] as const;

/** The pause after a failed attempt, or null after the last one. `attempts` is the number of attempts before it. */
export function pauseAfter(attempts: number): number | null {
  return RETRY_PAUSES_SECONDS[attempts] ?? null;
}
