import { startHourOf } from "../../../path/writer/copy/facet-periods.js";
import { HOUR_MS } from "../../../path/writer/copy/rollup-columns.js";
import type { Mode } from "../../../domain/vocabulary/vocabulary.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { loadHours, loadMonths } from "../queries/analytics.js";
import { stepCalendar, stepsBetween, strayHours } from "./step-calendar.js";

interface Counts {
  total: number;
  withOutcome: number;
  approved: number;
}

const NOTHING: Counts = { total: 0, withOutcome: 0, approved: 0 };

/**
 * ANA-14: counts all of a workspace's history by the months of a zone, oldest first. Empty months are included. The
 * rows are counted by UTC months. The few hours at the edges that belong to another month in the zone are then moved.
 */
export async function findMonths(
  client: TenantConnection,
  scope: { workspaceId: string; mode: Mode },
  zone: string,
  nowMs: number,
): Promise<(Counts & { startMs: number })[]> {
  const calendar = stepCalendar("month", zone);
  const sums = new Map<number, Counts>();
  const add = (hour: number, { total, withOutcome, approved }: Counts, sign: 1 | -1): void => {
    const step = calendar.stepOf(hour);
    const before = sums.get(step) ?? NOTHING;
    sums.set(step, {
      total: before.total + sign * total,
      withOutcome: before.withOutcome + sign * withOutcome,
      approved: before.approved + sign * approved,
    });
  };
  /**
   * Maps each stray hour to the middle hour of its UTC month. The counts of the whole UTC month were added at that
   * middle hour, so a stray hour's counts are subtracted there.
   */
  const moved = new Map<number, number>();
  for (const { month, ...counts } of await loadMonths(client, scope)) {
    const first = startHourOf({ level: "month", number: month });
    const end = startHourOf({ level: "month", number: month + 1 });
    const middle = Math.floor((first + end) / 2);
    add(middle, counts, 1);
    for (const hour of strayHours(calendar, [first, end])) moved.set(hour, middle);
  }
  if (moved.size > 0) {
    for (const { hour, ...counts } of await loadHours(client, scope, [...moved.keys()])) {
      add(hour, counts, 1);
      add(moved.get(hour) as number, counts, -1);
    }
  }
  const present = [...sums].flatMap(([step, { total, withOutcome }]) =>
    total + withOutcome > 0 ? step : [],
  );
  const last = Math.floor(nowMs / HOUR_MS);
  return stepsBetween(calendar, Math.min(last, ...present), last).map((step) => ({
    startMs: step * HOUR_MS,
    ...(sums.get(step) ?? NOTHING),
  }));
}
