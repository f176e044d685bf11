const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;
/** The first Monday, 1970-01-05. */
const MONDAY_MS = 4 * DAY_MS;

/**
 * The week of one partition of the decisions' tables. It begins on Monday (UTC), like partition_start() in
 * migrations/0004_decisions.sql.
 */
export interface DecisionWeek {
  /** `2026_11_23`: the end of the names of the week's partitions. */
  suffix: string;
  startMs: number;
  endMs: number;
}

export function weekOf(timeMs: number): DecisionWeek {
  const week = Math.floor((timeMs - MONDAY_MS) / WEEK_MS);
  // 1970 begins in the middle of a week, and no id is older than 1970.
  const startMs = Math.max(0, week * WEEK_MS + MONDAY_MS);
  return {
    suffix: new Date(startMs).toISOString().slice(0, 10).replaceAll("-", "_"),
    startMs,
    endMs: (week + 1) * WEEK_MS + MONDAY_MS,
  };
}
