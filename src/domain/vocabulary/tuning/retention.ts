const DAY_MS = 86_400_000;

/**
 * RET-3: the days for which a workspace's decisions are kept: the smaller of the service's limit and the workspace's
 * own. Null keeps decisions forever.
 */
export function keptDays(serviceDays: number, ownDays: number | null): number | null {
  if (serviceDays === 0) return ownDays;
  return Math.min(serviceDays, ownDays ?? serviceDays);
}

/** The creation time of the oldest kept decisions, in Unix milliseconds. If `days` is null, all decisions are kept. */
export function keptSinceMs(days: number | null, nowMs: number): number {
  return days === null ? 0 : Math.max(0, nowMs - days * DAY_MS);
}

/**
 * RET-7: how a run that removes old data spreads its work. A run has a day, and reads share its cores and PostgreSQL.
 * docs/decisions/0104-rows-are-archived-before-they-leave.md has the arithmetic.
 */
export const RETENTION_PACE = {
  /** The share of the time that a run works. */
  workShare: 0.2,
  /** The longest rest after a step. A step that waits for a lock is not work. */
  restMsMax: 1000,
  /**
   * The rest after a partition was detached or replaced. Every connection then plans each of its statements anew, which
   * takes some milliseconds a statement.
   */
  longRestMs: 5000,
} as const;

/** No limit is shorter, so a younger decision is kept and needs no look-up. */
export const KEPT_AT_LEAST_MS = DAY_MS;
