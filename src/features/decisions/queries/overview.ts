import {
  OUTCOMES,
  RISK_BANDS,
  type Action,
  type Outcome,
  type RiskBand,
} from "../../../domain/vocabulary/vocabulary.js";
import { countedColumns, sumOf } from "./decision-conditions.js";
import { hourCounts, type HourRow } from "./decision-counts.js";
import type { HourCounts } from "./id-spans.js";
import { EVERY_DECISION, type DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import {
  BAND_COLUMNS,
  ENFORCE_COLUMNS,
  LATENCY_SEGMENT_UNITS,
  LATENCY_UNITS_PER_MS,
  OUTCOME_COLUMNS,
  SHADOW_COLUMNS,
} from "../../../path/writer/copy/rollup-columns.js";
import { ERASED_HOURS, FOLDED, PENDING, rollupKey } from "./rollup-rows.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { actionsIn, countsOf, numberIn, type SumsRow } from "../../../path/writer/copy/rollup-counts.js";

/** The counts over the full history of a scope. */
export interface Totals {
  actions: Record<Action, number>;
  bands: Record<RiskBand, number>;
  outcomes: Record<Outcome, number>;
  latencySumMs: number;
}

/** All figures over the full history of a scope. */
export interface Overview {
  totals: Totals;
  /** Decisions by primary provider, most first. */
  providers: { provider: string; count: number }[];
  /** Maps a latency in milliseconds with two decimals to the number of decisions that took it, in no order. */
  latencies: Map<number, number>;
  /** The newest hours with decisions, as `countHours` finds them from `HOUR_MAX`. */
  newestHours: HourCounts;
}

const TOTAL_COLUMNS = [
  ...ENFORCE_COLUMNS,
  ...SHADOW_COLUMNS,
  ...BAND_COLUMNS,
  ...OUTCOME_COLUMNS,
  "latency_sum",
];
/**
 * One week, because the newest few hundred decisions of a small workspace may be days old. Each hour takes about a
 * microsecond to read.
 */
const HOURS_LOADED = 168;
const DECISIONS = sumOf(countedColumns(EVERY_DECISION));

const folded = (column: string): string =>
  `coalesce(pending.${column}, 0) + coalesce(totals.${column}, 0) as ${column}`;

/**
 * Reads the deltas once for all figures, because thousands may be pending when thousands of merchants decide. The
 * deltas' lists are sent as one text and counted on the reader thread. That takes 1.6 ms for 2000 deltas. Grouping them
 * in PostgreSQL took 4.3 ms. `;` separates lists, and `:` follows the head of a list. A delta has one latency for each
 * of its decisions. It has no provider when all of its decisions are blocks.
 */
const LOAD_OVERVIEW = {
  name: "load_overview",
  text: `with newest as (
           select hour, ${DECISIONS} as number from rollup_hours where ${FOLDED} and ${DECISIONS} > 0
           order by hour desc limit ${HOURS_LOADED}
         )
         select ${TOTAL_COLUMNS.map(folded).join(", ")},
           pending.hour_latencies, pending.provider_decisions,
           (select string_agg(segment * ${LATENCY_SEGMENT_UNITS} || ':' || array_to_string(counts, ','), ';')
            from rollup_latencies where ${FOLDED}) as folded_latencies,
           (select string_agg(provider || ':' || decisions, ';')
            from rollup_providers where ${FOLDED}) as folded_providers,
           (select string_agg(hour || ':' || number, ';') from newest) as folded_hours,
           (select string_agg(hour || ':' || ${DECISIONS}, ';') from rollup_hours
            where ${ERASED_HOURS} and hour >= (select min(hour) from newest)) as erased_hours
         from (
           select ${TOTAL_COLUMNS.map((column) => `sum(${column}) as ${column}`).join(", ")},
             string_agg(hour || ':' || array_to_string(latencies, ','), ';') as hour_latencies,
             string_agg(nullif(array_to_string(providers, ','), '') || ':' || array_to_string(provider_decisions, ','), ';')
               as provider_decisions
           from rollup_deltas where ${PENDING}
         ) pending left join rollup_totals totals on ${FOLDED}`,
};

const [DIGIT_0, DIGIT_9, COLON, COMMA] = [48, 57, 58, 44];

/** A list is null when it is empty. */
interface Lists {
  hour_latencies: string | null;
  provider_decisions: string | null;
  folded_latencies: string | null;
  folded_providers: string | null;
  folded_hours: string | null;
  erased_hours: string | null;
}

export async function loadOverview(client: TenantConnection, scope: DecisionScope): Promise<Overview> {
  const { rows } = await client.query<Lists & SumsRow>({ ...LOAD_OVERVIEW, values: rollupKey(scope) });
  // An aggregate without `group by` always returns one row.
  const row = rows[0] as Lists & SumsRow;
  return {
    totals: totalsOf(row),
    providers: providersOf(row),
    latencies: latenciesOf(row),
    newestHours: hourCounts(hoursOf(row), "older", HOURS_LOADED),
  };
}

function latenciesOf(row: Lists): Map<number, number> {
  // Keys are small integers, because a map is several times as fast with them as with fractions.
  const decisions = new Map<number, number>();
  eachNumber(row.folded_latencies, (segment, count, at) => {
    if (count > 0) add(decisions, segment + at, count);
  });
  eachNumber(row.hour_latencies, (_, units) => add(decisions, units, 1));
  return new Map(Array.from(decisions, ([units, count]) => [units / LATENCY_UNITS_PER_MS, count]));
}

function hoursOf(row: Lists): HourRow[] {
  const hours: HourRow[] = [];
  eachNumber(row.folded_hours, (hour, number) => hours.push({ hour, folded: true, number }));
  const others = new Map<number, number>();
  eachNumber(row.hour_latencies, (hour) => add(others, hour, 1));
  eachNumber(row.erased_hours, (hour, number) => add(others, hour, -number));
  for (const [hour, number] of others) hours.push({ hour, folded: false, number });
  return hours;
}

function providersOf(row: Lists): Overview["providers"] {
  const decisions = new Map<string, number>();
  for (const list of listsIn(row.folded_providers)) {
    const [provider = "", number] = list.split(":");
    add(decisions, provider, Number(number));
  }
  // Most deltas hold one decision, so their lists are mostly equal. Equal lists are counted first and split once.
  const deltas = new Map<string, number>();
  for (const list of listsIn(row.provider_decisions)) add(deltas, list, 1);
  for (const [list, times] of deltas) {
    const [providers = [], numbers = []] = list.split(":").map((items) => items.split(","));
    for (const [at, provider] of providers.entries()) add(decisions, provider, Number(numbers[at]) * times);
  }
  return Array.from(decisions, ([provider, count]) => ({ provider, count })).toSorted(
    (a, b) => b.count - a.count || (a.provider < b.provider ? -1 : 1),
  );
}

function listsIn(text: string | null): string[] {
  return text === null ? [] : text.split(";");
}

/**
 * Calls `found` for each number of `head:number,number;head:number`, with its head and its place in the list. It reads
 * single characters, because splitting texts of two thousand lists took 1.4 ms.
 */
function eachNumber(text: string | null, found: (head: number, number: number, at: number) => void): void {
  if (text === null) return;
  let head = 0;
  let number = 0;
  let at = 0;
  for (let index = 0; index <= text.length; index++) {
    const character = text.charCodeAt(index);
    if (character >= DIGIT_0 && character <= DIGIT_9) number = number * 10 + character - DIGIT_0;
    else {
      if (character === COLON) head = number;
      else found(head, number, at++);
      if (character !== COMMA) at = 0;
      number = 0;
    }
  }
}

function add<K>(counts: Map<K, number>, key: K, number: number): void {
  counts.set(key, (counts.get(key) ?? 0) + number);
}

function totalsOf(row: SumsRow): Totals {
  return {
    actions: actionsIn(row),
    bands: countsOf(RISK_BANDS, BAND_COLUMNS, row),
    outcomes: countsOf(OUTCOMES, OUTCOME_COLUMNS, row),
    latencySumMs: numberIn(row, "latency_sum") / LATENCY_UNITS_PER_MS,
  };
}
