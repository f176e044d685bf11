import { idToHex } from "../../../domain/ids/ids.js";
import { MODES } from "../../../domain/vocabulary/vocabulary.js";
import type { DecisionFilter, DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import type { FacetColumn } from "../../../domain/vocabulary/facets.js";
import { FACET_COUNTERS } from "../../../path/writer/copy/facet-counters.js";
import { DAY_HOURS, periodRuns, type PeriodRun } from "../../../path/writer/copy/facet-periods.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { countRows } from "./decision-rows.js";
import { eachBlockCount, eachPendingCount, flagsOf, loadFacetGroups, type BlockQuery } from "./facet-sums.js";
import { countOlderEnds } from "./older-rows.js";
import { isErased } from "./rollup-rows.js";
import { END_MS, hoursBetween, newestHourOf, type Direction, type HourCounts } from "./id-spans.js";

/** Deltas are told apart by their merchant, because those of erased merchants are in no list. */
const MERCHANT: readonly FacetColumn[] = ["merchant_id"];

/**
 * LOG-21: counts exactly the decisions that a list has whose filter names a facet. `columns` are the rollup columns to
 * add up.
 */
export async function countByFacets(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  columns: readonly string[],
): Promise<number> {
  const { firstHour, endHour, cut } = hoursBetween(filter.sinceMs ?? 0, filter.untilMs ?? END_MS);
  const query = await blockQuery(client, scope, filter, columns);
  let total = (await countRows(client, scope, filter, cut)) + (await countOlderEnds(client, scope, filter));
  await eachBlockCount(client, query, periodRuns(firstHour, endHour), () => (_group, _counter, count) => {
    total += count;
  });
  const isWanted = flagsOf(query.counters);
  const selected = { scope, filter, columns: MERCHANT };
  await eachPendingCount(client, selected, [firstHour, endHour], (_, [merchantId], counter, number) => {
    if (isWanted[counter] === 1 && !isErased(merchantId as string)) total += number;
  });
  return total;
}

/** The most days that are searched at once, and the most matching days that are read hour by hour. */
const DAYS_MAX = 64;
const MATCHING_DAYS_MAX = 8;

/**
 * Finds the hours with decisions that match a filter which names a facet. It returns them as `countHours` does. Days
 * without such decisions are skipped.
 */
export async function countHoursByFacets(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  search: { columns: readonly string[]; direction: Direction; fromHour: number },
): Promise<HourCounts> {
  const { direction, fromHour } = search;
  const query = await blockQuery(client, scope, filter, search.columns);
  const days = await nextDays(client, scope, direction, Math.floor(fromHour / DAY_HOURS));
  const matching = await matchingDays(client, query, days);
  const chosen = matching.toSorted(nearestFirst(direction)).slice(0, MATCHING_DAYS_MAX);
  const lastDay =
    chosen.length < matching.length ? chosen.at(-1) : days.length < DAYS_MAX ? null : days.at(-1);
  // The folded counts beyond the last day that was read are not known yet. The next call begins at this hour.
  const next = lastDay === null || lastDay === undefined ? null : hourAfter(lastDay, direction);
  const isWithin = (hour: number): boolean =>
    direction === "older"
      ? hour <= fromHour && (next === null || hour > next)
      : hour >= fromHour && (next === null || hour < next);
  const numbers = new Map<number, number>();
  const add = (hour: number, number: number): void => {
    if (isWithin(hour)) numbers.set(hour, (numbers.get(hour) ?? 0) + number);
  };
  const runs = chosen.map((day): PeriodRun => {
    return { level: "hour", first: day * DAY_HOURS, end: (day + 1) * DAY_HOURS };
  });
  await eachBlockCount(
    client,
    query,
    runs,
    ({ period }) =>
      (_group, _counter, count) =>
        add(period, count),
  );
  const isWanted = flagsOf(query.counters);
  const every = [0, newestHourOf({ untilMs: null }) + 1] as const;
  const selected = { scope, filter, columns: MERCHANT };
  await eachPendingCount(client, selected, every, (hour, [merchantId], counter, number) => {
    if (isWanted[counter] === 1 && !isErased(merchantId as string)) add(hour, number);
  });
  const hours = Array.from(numbers, ([hour, decisions]) => ({ hour, decisions }))
    .filter(({ decisions }) => decisions > 0)
    .toSorted((a, b) => nearestFirst(direction)(a.hour, b.hour));
  return { hours, next };
}

async function blockQuery(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  columns: readonly string[],
): Promise<BlockQuery> {
  const groups = await loadFacetGroups(client, { scope, filter, columns: [] }, true);
  return { scope, groups, counters: columns.map((column) => FACET_COUNTERS.indexOf(column)) };
}

/** The days with any decisions, from `fromDay` on, nearest first. */
async function nextDays(
  client: TenantConnection,
  scope: DecisionScope,
  direction: Direction,
  fromDay: number,
): Promise<number[]> {
  const [compare, order] = direction === "older" ? ["<=", "desc"] : [">=", "asc"];
  const { rows } = await client.query<{ period: number }>({
    name: `next_facet_days_${direction}`,
    text: `select period from facet_blocks
           where workspace_id = $1 and mode = $2 and level = 1 and period ${compare} $3
           order by period ${order} limit ${DAYS_MAX}`,
    values: [idToHex(scope.workspaceId), MODES.indexOf(scope.mode), fromDay],
  });
  return rows.map(({ period }) => period);
}

async function matchingDays(
  client: TenantConnection,
  query: BlockQuery,
  days: readonly number[],
): Promise<number[]> {
  const matching = new Set<number>();
  const runs = days.map((day): PeriodRun => ({ level: "day", first: day, end: day + 1 }));
  await eachBlockCount(
    client,
    query,
    runs,
    ({ period }) =>
      () =>
        void matching.add(period),
  );
  return [...matching];
}

function nearestFirst(direction: Direction): (a: number, b: number) => number {
  return direction === "older" ? (a, b) => b - a : (a, b) => a - b;
}

/** The first hour beyond a day, in a direction. */
function hourAfter(day: number, direction: Direction): number {
  return direction === "older" ? day * DAY_HOURS - 1 : (day + 1) * DAY_HOURS;
}
