const DAY_MS = 86_400_000;

/**
 * RET-3: the number of days for which a workspace's decisions are kept, which is the shorter of both limits. Null keeps
 * them forever.
 */
export function keptDays(serviceDays: number, ownDays: number | null): number | null {
  if (serviceDays === 0) return ownDays;
  return Math.min(serviceDays, ownDays ?? serviceDays);
}

/** The Unix milliseconds of the oldest decisions that are kept. `keptDays` null keeps all. */
export function keptSinceMs(days: number | null, nowMs: number): number {
  return days === null ? 0 : Math.max(0, nowMs - days * DAY_MS);
}

/** No limit is shorter, so every younger decision is kept without a look-up. */
export const KEPT_AT_LEAST_MS = DAY_MS;
