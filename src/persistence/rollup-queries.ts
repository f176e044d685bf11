import { idFloorHex, idToHex } from "../shared/ids.js";
import {
  ACTIONS,
  MODES,
  OUTCOMES,
  RISK_BANDS,
  type Action,
  type Outcome,
  type RiskBand,
} from "../shared/vocabulary.js";
import { rollupMerchant, type DecisionScope } from "./decision-scope.js";
import {
  BAND_COLUMNS,
  COMPARISON_COLUMNS,
  ENFORCE_COLUMNS,
  HOUR_MS,
  LATENCY_SEGMENT_UNITS,
  LATENCY_UNITS_PER_MS,
  OUTCOME_COLUMNS,
  SHADOW_COLUMNS,
} from "./rollup-columns.js";
import type { TenantConnection } from "./tenant-db.js";

/** Everything that is counted over the full history of a scope. */
export interface Totals {
  actions: Record<Action, number>;
  bands: Record<RiskBand, number>;
  outcomes: Record<Outcome, number>;
  latencySumMs: number;
}

const keyOf = (scope: DecisionScope): unknown[] => [
  idToHex(scope.workspaceId),
  MODES.indexOf(scope.mode),
  rollupMerchant(scope),
];
/** The rows of a scope in a folded table, and in the deltas that are not folded yet. */
const FOLDED = "workspace_id = $1 and mode = $2 and merchant_id = $3";
const PENDING = "workspace_id = $1 and mode = $2 and ($3 = '' or merchant_id = $3)";

const TOTAL_COLUMNS = [
  ...ENFORCE_COLUMNS,
  ...SHADOW_COLUMNS,
  ...BAND_COLUMNS,
  ...OUTCOME_COLUMNS,
  "latency_sum",
];
const sums = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(sum(${column}), 0)::bigint as ${column}`).join(", ");

/** Everything that is told of a scope's full history. */
export interface Overview {
  totals: Totals;
  /** Decisions by primary provider, most first. */
  providers: { provider: string; count: number }[];
  /** How many decisions took how long: milliseconds with two decimals → decisions, in no order. */
  latencies: Map<number, number>;
}

/**
 * One look at the deltas for all of it: each takes about a microsecond to read, and thousands may be pending where as
 * many merchants decide. `unnest` in the select list runs through an array in a fifth to a third of the time that one
 * in `from` takes; and deltas are added up before the folded totals, beside which they would all become `bigint`, whose
 * sums PostgreSQL makes as `numeric`. Latencies come as text, `unit:count,count,…;…`.
 */
const LOAD_OVERVIEW = {
  name: "load_overview",
  text: `with pending as materialized (
           select ${TOTAL_COLUMNS.join(", ")}, providers, provider_decisions, latencies
           from rollup_deltas where ${PENDING}
         )
         select ${sums(TOTAL_COLUMNS)},
           (select coalesce(json_agg(json_build_object('provider', provider, 'count', count)
                                     order by count desc, provider), '[]') from (
              select provider, sum(decisions) as count from (
                select provider, decisions from rollup_providers where ${FOLDED}
                union all
                select unnest(providers), unnest(provider_decisions) from pending
              ) parts group by provider
            ) counted) as providers,
           (select string_agg(segment * ${LATENCY_SEGMENT_UNITS} || ':' || array_to_string(counts, ','), ';')
            from rollup_latencies where ${FOLDED}) as latencies,
           (select string_agg(unit || ':' || number, ';') from (
              select unit, count(*) as number from (select unnest(latencies) as unit from pending) units group by unit
            ) counted) as pending_latencies
         from (
           select ${TOTAL_COLUMNS.join(", ")} from rollup_totals where ${FOLDED}
           union all
           select ${TOTAL_COLUMNS.map((column) => `sum(${column})`).join(", ")} from pending
         ) parts`,
};

interface OverviewRow {
  providers: { provider: string; count: number }[];
  latencies: string | null;
  pending_latencies: string | null;
}

export async function loadOverview(client: TenantConnection, scope: DecisionScope): Promise<Overview> {
  const { rows } = await client.query<OverviewRow & Record<string, string>>({
    ...LOAD_OVERVIEW,
    values: keyOf(scope),
  });
  // An aggregate without a group has its row, whatever there is.
  const row = rows[0] as OverviewRow & Record<string, string>;
  const latencies = new Map<number, number>();
  addLatencies(latencies, row.latencies);
  addLatencies(latencies, row.pending_latencies);
  return { totals: totalsOf(row), providers: row.providers, latencies };
}

function totalsOf(row: Record<string, string>): Totals {
  return {
    actions: countsOf(
      ACTIONS,
      (at) => numberIn(row, ENFORCE_COLUMNS[at]) + numberIn(row, SHADOW_COLUMNS[at]),
    ),
    bands: countsOf(RISK_BANDS, (at) => numberIn(row, BAND_COLUMNS[at])),
    outcomes: countsOf(OUTCOMES, (at) => numberIn(row, OUTCOME_COLUMNS[at])),
    latencySumMs: numberIn(row, "latency_sum") / LATENCY_UNITS_PER_MS,
  };
}

/** `text`: for each run of neighbouring latencies the first, and how many decisions took each of them. */
function addLatencies(latencies: Map<number, number>, text: string | null): void {
  if (text === null) return;
  for (const run of text.split(";")) {
    const [first, counts = ""] = run.split(":");
    for (const [index, digits] of counts.split(",").entries()) {
      const count = Number(digits);
      if (count === 0) continue;
      const latencyMs = (Number(first) + index) / LATENCY_UNITS_PER_MS;
      latencies.set(latencyMs, (latencies.get(latencyMs) ?? 0) + count);
    }
  }
}

/** What became of a scope's shadow decisions; the fields of migrations/0006_rollups.sql. */
export interface ShadowTotals {
  actions: Record<Action, number>;
  outcomes: number;
  comparable: number;
  usedRecommended: number;
  usedFallback: number;
  approvedFollowed: number;
  approvedDiverged: number;
}

const REPORT_COLUMNS = [...SHADOW_COLUMNS, ...COMPARISON_COLUMNS];
const ACTION_FLAGS = SHADOW_COLUMNS.map((_, action) => `(d.action = ${action})::integer`).join(", ");

/** Whole hours from the rollup, the hour in which the window begins from its rows. 0 is `approved`, 1 `shadow`. */
const LOAD_SHADOW_TOTALS = {
  name: "load_shadow_totals",
  text: `select ${sums(REPORT_COLUMNS)} from (
           select ${REPORT_COLUMNS.join(", ")} from rollup_hours where ${FOLDED} and hour > $4
           union all
           select ${REPORT_COLUMNS.join(", ")} from rollup_deltas where ${PENDING} and hour > $4
           union all
           select ${ACTION_FLAGS},
             (d.outcome is not null)::integer,
             d.comparable::integer,
             (d.comparable and d.used = d.primary_provider)::integer,
             (d.comparable and d.used = d.fallback_provider)::integer,
             (d.comparable and d.outcome = 0 and d.followed)::integer,
             (d.comparable and d.outcome = 0 and not d.followed)::integer
           from (
             select d.action, d.primary_provider, d.fallback_provider, o.outcome, o.provider_used as used,
               o.outcome is not null and d.primary_provider is not null as comparable,
               coalesce(o.provider_used in (d.primary_provider, d.fallback_provider), false) as followed
             from decisions d
             left join outcomes o on o.workspace_id = d.workspace_id and o.mode = d.mode and o.decision_id = d.decision_id
               and o.decision_id >= $5 and o.decision_id < $6
             where d.workspace_id = $1 and d.mode = $2 and ($3 = '' or d.merchant_id = $3) and d.decision_mode = 1
               and d.decision_id >= $5 and d.decision_id < $6
           ) d
         ) parts`,
};

/** Over the decisions made at or after `sinceMs` (Unix milliseconds). */
export async function loadShadowTotals(
  client: TenantConnection,
  scope: DecisionScope,
  sinceMs: number,
): Promise<ShadowTotals> {
  const hour = Math.floor(sinceMs / HOUR_MS);
  const { rows } = await client.query<Record<string, string>>({
    ...LOAD_SHADOW_TOTALS,
    values: [...keyOf(scope), hour, idFloorHex(sinceMs), idFloorHex((hour + 1) * HOUR_MS)],
  });
  const row = rows[0] ?? {};
  return {
    actions: countsOf(ACTIONS, (at) => numberIn(row, SHADOW_COLUMNS[at])),
    outcomes: numberIn(row, "shadow_outcomes"),
    comparable: numberIn(row, "comparable"),
    usedRecommended: numberIn(row, "used_recommended"),
    usedFallback: numberIn(row, "used_fallback"),
    approvedFollowed: numberIn(row, "approved_followed"),
    approvedDiverged: numberIn(row, "approved_diverged"),
  };
}

function countsOf<K extends string>(
  names: readonly K[],
  countAt: (position: number) => number,
): Record<K, number> {
  return Object.fromEntries(names.map((name, position) => [name, countAt(position)])) as Record<K, number>;
}

function numberIn(row: Record<string, string>, column: string | undefined): number {
  return column === undefined ? 0 : Number(row[column] ?? 0);
}
