import type { UsageRow } from "../../api/wire-types.js";

interface UsageCounts {
  live: number;
  liveShadow: number;
  test: number;
  testShadow: number;
}

export function countUsage(rows: readonly UsageRow[]): UsageCounts {
  const counts: UsageCounts = { live: 0, liveShadow: 0, test: 0, testShadow: 0 };
  for (const { mode, decisions, shadow_decisions } of rows) {
    counts[mode] += decisions;
    counts[mode === "live" ? "liveShadow" : "testShadow"] += shadow_decisions;
  }
  return counts;
}

/** Returns the month that is `months` before that of `nowMs`, as `YYYY-MM` in UTC. */
export function monthsBefore(nowMs: number, months: number): string {
  const now = new Date(nowMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7);
}
