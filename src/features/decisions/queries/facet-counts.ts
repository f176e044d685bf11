import { idToHex } from "../../../domain/ids/ids.js";
import type { FacetColumn } from "../../../domain/vocabulary/facets.js";
import { fewestRuns, shareRuns, type CountedRun } from "../../../path/writer/copy/facet-covers.js";
import { DECISION_MODES, MODES } from "../../../domain/vocabulary/vocabulary.js";
import { ENFORCED_AT, OUTCOMES_AT, SHADOWED_AT } from "../../../path/writer/copy/facet-counters.js";
import {
  hourRuns,
  periodRuns,
  startHourOf,
  type Level,
  type Period,
} from "../../../path/writer/copy/facet-periods.js";
import { HOUR_MS } from "../../../path/writer/copy/rollup-columns.js";
import type { Interval } from "../../../platform/http/interval-query.js";
import { prepared } from "../../../platform/postgres/prepared.js";
import {
  firstReadableMs,
  type TenantConnection,
  type TenantTransaction,
} from "../../../platform/postgres/tenant-db.js";
import { rowConditions, rowTexts } from "./decision-conditions.js";
import { END_MS, nearestHours, type CountedSpan, type NearestHours, type Span } from "./id-spans.js";
import { countOlderGroups } from "./older-counts.js";
import {
  eachBlockCount,
  eachPendingCount,
  flagsOf,
  type BlockQuery,
  type GroupedFacets,
  type VisitGroupCount,
} from "./facet-sums.js";

/** The counters of decisions by action, and of their outcomes. */
const COUNTERS = [...ENFORCED_AT, ...SHADOWED_AT, ...OUTCOMES_AT];

/** An interval whose decisions are counted. */
export interface CountedInterval extends Interval {
  /** Absent if only sums over the whole interval are wanted. They are read from fewer periods. */
  steps?: {
    /** The longest period whose counts may be read as one. */
    longest: Level;
    /** ANA-14: returns the hours of a UTC period that belong to another step than the middle of the period. */
    strayHours(period: readonly [firstHour: number, endHour: number]): readonly number[];
  };
}

/**
 * Called with each count. `interval` is the position of the interval. If that has steps, `hour` lies in the count's
 * step. `counter` is a position in FACET_COUNTERS. A number may be negative, because a part of a period may be counted
 * as the whole period less its rest.
 */
export type VisitFacetCount = (
  interval: number,
  hour: number,
  group: number,
  counter: number,
  number: number,
) => void;

/**
 * ANA-5: calls `visit` for the counts of decisions and of outcomes in some intervals, exactly, in no order. What two
 * intervals share is read once. Give it a client in a repeatable-read transaction.
 */
export async function eachFacetCount(
  client: TenantTransaction,
  grouped: GroupedFacets,
  intervals: readonly CountedInterval[],
  visit: VisitFacetCount,
): Promise<void> {
  const { selection, folded } = grouped;
  const query = { scope: selection.scope, groups: folded, counters: COUNTERS };
  const covers = intervals.map((interval) => coverOf(interval, firstReadableMs(client)));
  const longPeriods = await eachPeriodCount(client, query, covers, visit);
  for (const [at, { steps }] of intervals.entries()) {
    if (steps === undefined) continue;
    const periods = longPeriods.filter(({ times }) => times[at] !== 0);
    await moveStrays(client, query, { periods, ...steps }, visit.bind(null, at));
  }
  const isWanted = flagsOf(COUNTERS);
  const hours = [
    Math.min(...covers.map(({ firstHour }) => firstHour)),
    Math.max(...covers.map(({ endHour }) => endHour)),
  ] as const;
  await eachPendingCount(client, selection, hours, (hour, key, counter, number) => {
    if (isWanted[counter] !== 1) return;
    for (const [at, { firstHour, endHour }] of covers.entries()) {
      if (hour >= firstHour && hour < endHour) visit(at, hour, grouped.groupOf(key), counter, number);
    }
  });
  await eachRowCount(
    client,
    grouped,
    covers.map(({ cut }) => cut),
    visit,
  );
}

/** The periods and rows that make up an interval. */
interface Cover extends NearestHours {
  runs: readonly CountedRun[];
}

function coverOf({ sinceMs, untilMs, steps }: CountedInterval, readableMs: number): Cover {
  const hours = nearestHours(sinceMs ?? 0, untilMs ?? END_MS, readableMs);
  const { firstHour, endHour } = hours;
  const runs =
    steps === undefined
      ? fewestRuns(firstHour, endHour)
      : periodRuns(firstHour, endHour, steps.longest).map((run) => ({ ...run, times: 1 }));
  return { ...hours, runs };
}

/** A day or month, and how many times it is counted in each interval. */
interface LongPeriod extends Period {
  times: readonly number[];
}

/** Visits the folded counts. Returns the days and months that have any of the selection. */
async function eachPeriodCount(
  client: TenantConnection,
  query: BlockQuery,
  covers: readonly Cover[],
  visit: VisitFacetCount,
): Promise<LongPeriod[]> {
  const longPeriods: LongPeriod[] = [];
  const runs = shareRuns(covers.map((cover) => cover.runs));
  await eachBlockCount(client, query, runs, ({ level, period: number }, run): VisitGroupCount => {
    const hour = middleHourOf({ level, number });
    const timesOf = runs[run]?.times ?? [];
    const shares = timesOf.flatMap((times, at) => (times === 0 ? [] : [{ at, times }]));
    let isNoted = level === "hour";
    return (group, counter, count) => {
      if (!isNoted) longPeriods.push({ level, number, times: timesOf });
      isNoted = true;
      for (const { at, times } of shares) visit(at, hour, group, counter, times * count);
    };
  });
  return longPeriods;
}

/** ANA-14: moves the counts of stray hours from the middle of their period to their own step. */
async function moveStrays(
  client: TenantConnection,
  query: BlockQuery,
  { periods, strayHours }: NonNullable<CountedInterval["steps"]> & { periods: readonly Period[] },
  visit: (hour: number, ...count: Parameters<VisitGroupCount>) => void,
): Promise<void> {
  const middles = new Map<number, number>();
  for (const period of periods) {
    for (const hour of strayHours(hoursOf(period))) middles.set(hour, middleHourOf(period));
  }
  await eachBlockCount(
    client,
    query,
    hourRuns(middles.keys()),
    ({ period: hour }) =>
      (group, counter, count) => {
        visit(hour, group, counter, count);
        visit(middles.get(hour) as number, group, counter, -count);
      },
  );
}

function hoursOf({ level, number }: Period): [firstHour: number, endHour: number] {
  return [startHourOf({ level, number }), startHourOf({ level, number: number + 1 })];
}

function middleHourOf(period: Period): number {
  const [first, end] = hoursOf(period);
  return Math.floor((first + end) / 2);
}

/** The columns of a facet as SQL over `decisions d`. */
const ROW_COLUMNS: Readonly<Record<FacetColumn, string>> = {
  merchant_id: "d.merchant_id",
  currency: "d.currency",
  country: "coalesce(d.country, '')",
  payment_method: "d.payment_method",
  card_network: "coalesce(d.card_network, -1)",
  provider: "coalesce(d.primary_provider, '')",
};
const SHADOW = DECISION_MODES.indexOf("shadow");

/** The rows of a span that belong to one group. */
interface GroupRows {
  span: string;
  key: string[];
  /** `action,decision_mode,number,outcome` for each kind of decision. Without an outcome the last number is missing. */
  counts: string;
}

/** A span, and how many times it is counted in each interval. */
interface SharedSpan extends Span {
  times: number[];
}

/** Intervals that meet within an hour are counted by the same rows of that hour. */
function shareSpans(cuts: readonly (readonly CountedSpan[])[]): SharedSpan[] {
  const shared = new Map<string, SharedSpan>();
  for (const [at, spans] of cuts.entries()) {
    for (const { low, high, times } of spans) {
      const span = shared.get(`${low} ${high}`) ?? { low, high, times: cuts.map(() => 0) };
      span.times[at] = times;
      shared.set(`${low} ${high}`, span);
    }
  }
  return [...shared.values()];
}

/**
 * Counts the rows of the cut hours at the ends of some intervals. They are grouped instead of joined, for the reason in
 * queries/shadow.ts.
 */
async function eachRowCount(
  client: TenantConnection,
  grouped: GroupedFacets,
  cuts: readonly (readonly CountedSpan[])[],
  visit: VisitFacetCount,
): Promise<void> {
  const spans = shareSpans(cuts);
  if (spans.length === 0) return;
  const { scope, filter, columns } = grouped.selection;
  const key = `array[${columns.map((column) => `${ROW_COLUMNS[column]}::text`).join(", ")}]::text[]`;
  const { rows } = await client.query<GroupRows>(
    prepared(
      `select span, key, string_agg(concat_ws(',', action, decision_mode, number, outcome), ';') as counts from (
       select span, key, action, decision_mode, outcome, count(*) as number from (
         select span, max(key) as key, max(action) as action, max(decision_mode) as decision_mode, max(outcome) as outcome
         from (
           select span.position - 1 as span, d.decision_id, ${key} as key, d.action, d.decision_mode,
             null::smallint as outcome
           from unnest($3::uuid[], $4::uuid[]) with ordinality as span (low, high, position) join decisions d
             on d.workspace_id = $1 and d.mode = $2 and d.decision_id >= span.low and d.decision_id < span.high
           where $5::text[] is not null ${rowConditions(scope, filter, "$5")}
           union all
           select span.position - 1, o.decision_id, null, null, null, o.outcome
           from unnest($3::uuid[], $4::uuid[]) with ordinality as span (low, high, position) join outcomes o
             on o.workspace_id = $1 and o.mode = $2 and o.decision_id >= span.low and o.decision_id < span.high
         ) found group by span, decision_id having max(action) is not null
       ) decided group by span, key, action, decision_mode, outcome
       ) counted group by span, key`,
      [
        idToHex(scope.workspaceId),
        MODES.indexOf(scope.mode),
        spans.map(({ low }) => low),
        spans.map(({ high }) => high),
        rowTexts(scope, filter),
      ],
    ),
  );
  const visitRow = (
    span: number,
    group: number,
    { action, decision_mode, outcome, number }: RowCount,
  ): void => {
    const { low, times } = spans[span] as SharedSpan;
    const hour = Math.floor(timeMsOf(low) / HOUR_MS);
    const decided = (decision_mode === SHADOW ? SHADOWED_AT : ENFORCED_AT)[action] as number;
    for (const [at, ofInterval] of times.entries()) {
      if (ofInterval === 0) continue;
      visit(at, hour, group, decided, ofInterval * number);
      if (outcome !== null) visit(at, hour, group, OUTCOMES_AT[outcome] as number, ofInterval * number);
    }
  };
  for (const { span, key: values, counts } of rows) {
    const group = grouped.groupOf(values);
    for (const row of rowCountsIn(counts)) visitRow(Number(span), group, row);
  }
  for (const { span, key: values, number, ...kind } of await countOlderGroups(
    client,
    grouped.selection,
    spans,
  )) {
    visitRow(span, grouped.groupOf(values), { ...kind, number: Number(number) });
  }
}

interface RowCount {
  action: number;
  decision_mode: number;
  outcome: number | null;
  number: number;
}

function rowCountsIn(counts: string): RowCount[] {
  return counts.split(";").map((text) => {
    const [action = 0, decision_mode = 0, number = 0, outcome = null] = text.split(",").map(Number);
    return { action, decision_mode, number, outcome };
  });
}

/** The first 48 bits of an id are its time in Unix milliseconds. `hex` is the id in hexadecimal. */
function timeMsOf(hex: string): number {
  return Number.parseInt(hex.slice(0, 12), 16);
}
