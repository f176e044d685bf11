import { idToHex } from "../../../domain/ids/ids.js";
import type { DecisionFilter, DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import type { FacetColumn } from "../../../domain/vocabulary/facets.js";
import { DECISION_MODES, MODES } from "../../../domain/vocabulary/vocabulary.js";
import { ENFORCED_AT, OUTCOMES_AT, SHADOWED_AT } from "../../../path/writer/copy/facet-counters.js";
import {
  periodRuns,
  startHourOf,
  type Level,
  type Period,
  type PeriodRun,
} from "../../../path/writer/copy/facet-periods.js";
import { HOUR_MS } from "../../../path/writer/copy/rollup-columns.js";
import type { Interval } from "../../../platform/http/interval-query.js";
import { prepared } from "../../../platform/postgres/prepared.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { rowConditions, rowTexts } from "./decision-conditions.js";
import {
  eachBlockCount,
  eachPendingCount,
  flagsOf,
  loadFacetGroups,
  type FacetGroups,
} from "./facet-sums.js";
import { END_MS, hoursBetween, type Span } from "./id-spans.js";
import { countOlderGroups } from "./older-counts.js";

/** The decisions to count, and the columns that group them. */
export interface FacetSelection {
  scope: DecisionScope;
  filter: DecisionFilter;
  columns: readonly FacetColumn[];
}

/** A selection with its groups. `keys` grows when decisions that are not folded yet form a new group. */
export class GroupedFacets {
  /** Each group's values, in the order of the columns. A missing value is '', or -1 for a card network. */
  readonly keys: string[][];
  readonly #groups = new Map<string, number>();

  constructor(
    readonly selection: FacetSelection,
    readonly folded: FacetGroups,
  ) {
    this.keys = folded.keys;
    for (const [group, key] of this.keys.entries()) this.#groups.set(key.join(","), group);
  }

  groupOf(key: string[]): number {
    const text = key.join(",");
    let group = this.#groups.get(text);
    if (group === undefined) {
      group = this.keys.push(key) - 1;
      this.#groups.set(text, group);
    }
    return group;
  }
}

export async function loadGroupedFacets(
  client: TenantConnection,
  selection: FacetSelection,
): Promise<GroupedFacets> {
  const { scope, filter, columns } = selection;
  return new GroupedFacets(selection, await loadFacetGroups(client, scope, filter, columns));
}

/** The counters of decisions by action, and of their outcomes. */
const COUNTERS = [...ENFORCED_AT, ...SHADOWED_AT, ...OUTCOMES_AT];

/**
 * Called with each count. `hour` is the middle of the counted period. `counter` is a position in FACET_COUNTERS. A
 * negative number corrects a count that was reported for another hour.
 */
export type VisitFacetCount = (hour: number, group: number, counter: number, number: number) => void;

interface FacetCountOptions {
  interval: Interval;
  /** The longest period whose counts may be read as one. */
  longest: Level;
  /**
   * ANA-14: returns the hours of a UTC period that belong to another step than the middle of the period. Absent: no
   * hour does.
   */
  strayHours?(period: readonly [firstHour: number, endHour: number]): readonly number[];
}

/**
 * ANA-5: calls `visit` for the counts of decisions and of outcomes in an interval, exactly, in no order. Give it a
 * client in a repeatable-read transaction.
 */
export async function eachFacetCount(
  client: TenantConnection,
  grouped: GroupedFacets,
  { interval, longest, strayHours }: FacetCountOptions,
  visit: VisitFacetCount,
): Promise<void> {
  const { selection, folded } = grouped;
  const { firstHour, endHour, cut } = hoursBetween(interval.sinceMs ?? 0, interval.untilMs ?? END_MS);
  const query = { scope: selection.scope, groups: folded, counters: COUNTERS };
  const runs = periodRuns(firstHour, endHour, longest);
  /** The long periods that have any counts. */
  const counted: (Period & { middle: number })[] = [];
  let last: (Period & { middle: number }) | undefined;
  await eachBlockCount(client, query, runs, ({ level, period: number }, group, counter, count) => {
    if (level === "hour") return visit(number, group, counter, count);
    if (last?.level !== level || last.number !== number) {
      counted.push((last = { level, number, middle: middleHourOf({ level, number }) }));
    }
    visit(last.middle, group, counter, count);
  });
  if (strayHours !== undefined) {
    const strays = new Map<number, number>();
    for (const period of counted) {
      for (const hour of strayHours(hoursOf(period))) strays.set(hour, period.middle);
    }
    await eachBlockCount(
      client,
      query,
      hourRuns(strays.keys()),
      ({ period: hour }, group, counter, count) => {
        visit(hour, group, counter, count);
        visit(strays.get(hour) as number, group, counter, -count);
      },
    );
  }
  const isWanted = flagsOf(COUNTERS);
  await eachPendingCount(client, selection, [firstHour, endHour], (hour, key, counter, number) => {
    if (isWanted[counter] === 1) visit(hour, grouped.groupOf(key), counter, number);
  });
  await eachRowCount(client, grouped, cut, visit);
}

function hoursOf({ level, number }: Period): [firstHour: number, endHour: number] {
  return [startHourOf({ level, number }), startHourOf({ level, number: number + 1 })];
}

function middleHourOf(period: Period): number {
  const [first, end] = hoursOf(period);
  return Math.floor((first + end) / 2);
}

/** Joins the hours into as few runs as possible. */
function hourRuns(hours: Iterable<number>): PeriodRun[] {
  const runs: PeriodRun[] = [];
  for (const hour of [...hours].toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.end === hour) last.end++;
    else runs.push({ level: "hour", first: hour, end: hour + 1 });
  }
  return runs;
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

interface RowCount {
  low: string;
  key: string[];
  action: number;
  decision_mode: number;
  outcome: number | null;
  number: string;
}

/**
 * Counts the rows of the partial hours at the ends of an interval. They are grouped instead of joined, for the reason
 * in queries/shadow.ts.
 */
async function eachRowCount(
  client: TenantConnection,
  grouped: GroupedFacets,
  spans: readonly Span[],
  visit: VisitFacetCount,
): Promise<void> {
  if (spans.length === 0) return;
  const { scope, filter, columns } = grouped.selection;
  const key = `array[${columns.map((column) => `${ROW_COLUMNS[column]}::text`).join(", ")}]::text[]`;
  const { rows } = await client.query<RowCount>(
    prepared(
      `select low, key, action, decision_mode, outcome, count(*) as number from (
         select max(low) as low, max(key) as key, max(action) as action, max(decision_mode) as decision_mode,
           max(outcome) as outcome
         from (
           select span.low::text as low, d.decision_id, ${key} as key, d.action, d.decision_mode,
             null::smallint as outcome
           from unnest($3::uuid[], $4::uuid[]) as span (low, high) join decisions d
             on d.workspace_id = $1 and d.mode = $2 and d.decision_id >= span.low and d.decision_id < span.high
           where $5::text[] is not null ${rowConditions(scope, filter, "$5")}
           union all
           select null, o.decision_id, null, null, null, o.outcome
           from unnest($3::uuid[], $4::uuid[]) as span (low, high) join outcomes o
             on o.workspace_id = $1 and o.mode = $2 and o.decision_id >= span.low and o.decision_id < span.high
         ) found group by decision_id having max(action) is not null
       ) decided group by low, key, action, decision_mode, outcome`,
      [
        idToHex(scope.workspaceId),
        MODES.indexOf(scope.mode),
        spans.map(({ low }) => low),
        spans.map(({ high }) => high),
        rowTexts(scope, filter),
      ],
    ),
  );
  const older = await countOlderGroups(client, grouped.selection, spans);
  for (const { low, key: values, action, decision_mode, outcome, number } of [...rows, ...older]) {
    const hour = Math.floor(uuidTimeMs(low.replaceAll("-", "")) / HOUR_MS);
    const group = grouped.groupOf(values);
    const decided = decision_mode === SHADOW ? SHADOWED_AT : ENFORCED_AT;
    visit(hour, group, decided[action] as number, Number(number));
    if (outcome !== null) visit(hour, group, OUTCOMES_AT[outcome] as number, Number(number));
  }
}

/** The first 48 bits of an id are its time in Unix milliseconds. `hex` is the id in hexadecimal. */
function uuidTimeMs(hex: string): number {
  return Number.parseInt(hex.slice(0, 12), 16);
}
