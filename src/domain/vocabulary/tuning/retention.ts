const DAY_MS = 86_400_000;

/** RET-3: for how many days a workspace's decisions are kept: the shorter of both limits. Null keeps them for ever. */
export function keptDays(serviceDays: number, ownDays: number | null): number | null {
  if (serviceDays === 0) return ownDays;
  return Math.min(serviceDays, ownDays ?? serviceDays);
}

/** When the decisions begin that are kept, in Unix milliseconds. `keptDays` null keeps all. */
export function keptSinceMs(days: number | null, nowMs: number): number {
  return days === null ? 0 : Math.max(0, nowMs - days * DAY_MS);
}

/** No limit is shorter, so whatever is younger is kept without a look-up. */
export const KEPT_AT_LEAST_MS = DAY_MS;
