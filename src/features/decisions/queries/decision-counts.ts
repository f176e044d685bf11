import { idFloorHex } from "../../../domain/ids/ids.js";
import { countedColumns, rowConditions, rowTexts, sumOf } from "./decision-conditions.js";
import { prepared } from "../../../platform/postgres/prepared.js";
import {
  hasFacet,
  type DecisionFilter,
  type DecisionScope,
} from "../../../domain/vocabulary/decision-scope.js";
import { countByFacets, countHoursByFacets } from "./facet-hours.js";
import { END_MS, hoursBetween, newestHourOf, spanOf, type Direction, type HourCounts } from "./id-spans.js";
import { countOlderEnds, countOlderRows, olderPart } from "./older-rows.js";
import { ERASED, ERASED_HOURS, FOLDED, PENDING, rollupKey } from "./rollup-rows.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** The number of hours to look at first. Most pages are found in them. */
export const HOURS_FIRST = 32;

export interface Counted {
  total: number;
  /**
   * The newest hours with matching decisions, as `countHours` returns them for the filter. Null when the filter names
   * an order or a facet.
   */
  newestHours: HourCounts | null;
}

/**
 * Counts exactly the decisions that a list with this filter has. It reads at most the rows of two hours or of one
 * order.
 */
export async function countDecisions(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
): Promise<Counted> {
  if (filter.orderId !== null) {
    return { total: await countOfOrder(client, scope, filter, filter.orderId), newestHours: null };
  }
  const columns = countedColumns(filter);
  if (columns.length === 0) return { total: 0, newestHours: NO_HOURS };
  if (hasFacet(filter))
    return { total: await countByFacets(client, scope, filter, columns), newestHours: null };
  const sum = sumOf(columns);
  const isOfAll = filter.sinceMs === null && filter.untilMs === null;
  const total = isOfAll ? totalOfAll(sum) : totalBetween(sum, scope, filter);
  const olderTotal = isOfAll ? 0 : await countOlderEnds(client, scope, filter);
  const { rows } = await client.query<HourRow | TotalRow>(
    prepared(`${hoursText(sum, "older")} union all (select null, true, ${total.text})`, [
      ...rollupKey(scope),
      newestHourOf(filter),
      HOURS_FIRST,
      ...total.values,
    ]),
  );
  const hours = rows.filter((row): row is HourRow => row.hour !== null);
  return {
    total: Number(rows.find(({ hour }) => hour === null)?.number ?? 0) + olderTotal,
    newestHours: hourCounts(hours, "older", HOURS_FIRST),
  };
}

/** A scalar expression. Its parameters begin at $6. */
interface Total {
  text: string;
  values: unknown[];
}

function totalOfAll(sum: string): Total {
  const text = `(select coalesce(sum(number), 0) from (
      select ${sum} as number from rollup_totals where ${FOLDED}
      union all
      select -(${sum}) from rollup_totals where ${ERASED}
      union all
      select ${sum} from rollup_deltas where ${PENDING}
    ) parts)`;
  return { text, values: [] };
}

/** Counts whole hours from the rollup. The partial hours at both ends are counted from the rows of `decisions`. */
function totalBetween(sum: string, scope: DecisionScope, filter: DecisionFilter): Total {
  const { firstHour, endHour, cut } = hoursBetween(filter.sinceMs ?? 0, filter.untilMs ?? END_MS);
  const text = `(select coalesce(sum(number), 0) from (
      select ${sum} as number from rollup_hours
      where ${FOLDED} and hour >= $6 and hour < $7
      union all
      select -(${sum}) from rollup_hours
      where ${ERASED_HOURS} and hour >= $6 and hour < $7
      union all
      select ${sum} from rollup_deltas
      where ${PENDING} and hour >= $6 and hour < $7
      union all
      select rows.number from unnest($8::uuid[], $9::uuid[]) as span (low, high) cross join lateral (
        select count(*) as number from decisions d
        where d.workspace_id = $1 and d.mode = $2 and d.decision_id >= span.low and d.decision_id < span.high
          and $10::text[] is not null ${rowConditions(scope, filter, "$10")}
      ) rows
    ) parts)`;
  const cutIds = [cut.map(({ low }) => low), cut.map(({ high }) => high)];
  return { text, values: [firstHour, endHour, ...cutIds, rowTexts(scope, filter)] };
}

async function countOfOrder(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  orderId: string,
): Promise<number> {
  const kept = await countKeptOfOrder(client, scope, filter, orderId);
  const span = olderPart(client, scope, spanOf(filter.sinceMs ?? 0, filter.untilMs ?? END_MS));
  return span === null ? kept : kept + (await countOlderRows(span, scope, filter));
}

export async function countKeptOfOrder(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  orderId: string,
): Promise<number> {
  const { rows } = await client.query<{ number: string }>(
    prepared(
      `select count(*) as number from order_decisions($2, $4) as found (decision_id)
       join decisions d on d.decision_id = found.decision_id
       where d.workspace_id = $1 and d.mode = $2
         and d.decision_id >= $5 and d.decision_id < $6
         and $3::text[] is not null ${rowConditions(scope, filter, "$3")}`,
      [
        ...rollupKey(scope).slice(0, 2),
        rowTexts(scope, filter),
        orderId,
        idFloorHex(filter.sinceMs ?? 0),
        idFloorHex(filter.untilMs ?? END_MS),
      ],
    ),
  );
  return Number(rows[0]?.number ?? 0);
}

const NO_HOURS: HourCounts = { hours: [], next: null };

/** One hour's number of decisions in one table. */
export interface HourRow {
  hour: number;
  folded: boolean;
  /** PostgreSQL returns a bigint as text. */
  number: string | number;
}

interface TotalRow {
  hour: null;
  number: string;
}

/**
 * Finds the hours that have decisions matching a filter, from `fromHour` (inclusive) towards older or newer hours. The
 * result serves as a coarse index for pages of rare rows. A call returns at most about `limit` hours.
 */
export async function countHours(
  client: TenantConnection,
  scope: DecisionScope,
  filter: DecisionFilter,
  direction: Direction,
  fromHour: number,
  limit: number,
): Promise<HourCounts> {
  const columns = countedColumns(filter);
  if (columns.length === 0) return NO_HOURS;
  if (hasFacet(filter)) return countHoursByFacets(client, scope, filter, { columns, direction, fromHour });
  const { rows } = await client.query<HourRow>(
    prepared(hoursText(sumOf(columns), direction), [...rollupKey(scope), fromHour, limit]),
  );
  return hourCounts(rows, direction, limit);
}

function hoursText(sum: string, direction: Direction): string {
  const [compare, order, last] = direction === "older" ? ["<=", "desc", "min"] : [">=", "asc", "max"];
  return `with folded as (
       select hour, ${sum} as number from rollup_hours
       where ${FOLDED} and hour ${compare} $4 and ${sum} > 0
       order by hour ${order} limit $5
     )
     select hour, true as folded, number from folded
     union all
     (select hour, false, sum(${sum}) from rollup_deltas
      where ${PENDING} and hour ${compare} $4
      group by hour)
     union all
     (select hour, false, -sum(${sum}) from rollup_hours
      where ${ERASED_HOURS} and hour ${compare} $4 and (select ${last}(hour) from folded) ${compare} hour
        and ${sum} > 0
      group by hour)`;
}

/** Adds up the rows of each hour. The folded rows are at most `limit`, sorted by hour, and the nearest comes first. */
export function hourCounts(rows: readonly HourRow[], direction: Direction, limit: number): HourCounts {
  const folded = rows.filter((row) => row.folded);
  // If the query returned `limit` folded rows, the folded counts beyond the last one are unknown.
  const horizon = folded.length < limit ? null : (folded.at(-1)?.hour ?? null);
  const numbers = new Map<number, number>();
  for (const { hour, number } of rows) {
    const isBeyond = horizon !== null && (direction === "older" ? hour < horizon : hour > horizon);
    if (!isBeyond) numbers.set(hour, (numbers.get(hour) ?? 0) + Number(number));
  }
  const hours = Array.from(numbers, ([hour, decisions]) => ({ hour, decisions }))
    .filter(({ decisions }) => decisions > 0)
    .toSorted((a, b) => (direction === "older" ? b.hour - a.hour : a.hour - b.hour));
  const next = horizon === null ? null : horizon + (direction === "older" ? -1 : 1);
  return { hours, next };
}
