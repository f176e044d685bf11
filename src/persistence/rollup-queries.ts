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

const LOAD_TOTALS = {
  name: "load_totals",
  text: `select ${sums(TOTAL_COLUMNS)} from (
           select ${TOTAL_COLUMNS.join(", ")} from rollup_totals where ${FOLDED}
           union all
           select ${TOTAL_COLUMNS.join(", ")} from rollup_deltas where ${PENDING}
         ) parts`,
};

export async function loadTotals(client: TenantConnection, scope: DecisionScope): Promise<Totals> {
  const { rows } = await client.query<Record<string, string>>({ ...LOAD_TOTALS, values: keyOf(scope) });
  const row = rows[0] ?? {};
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

/** Decisions by primary provider, most first. */
export async function loadProviderCounts(
  client: TenantConnection,
  scope: DecisionScope,
): Promise<{ provider: string; count: number }[]> {
  const { rows } = await client.query<{ provider: string; count: string }>({
    name: "load_provider_counts",
    text: `select provider, sum(decisions) as count from (
             select provider, decisions from rollup_providers where ${FOLDED}
             union all
             select provider, number from rollup_deltas, unnest(providers, provider_decisions) as counted (provider, number) where ${PENDING}
           ) parts
           group by provider order by count desc, provider`,
    values: keyOf(scope),
  });
  return rows.map(({ provider, count }) => ({ provider, count: Number(count) }));
}

/** How many decisions took how long: milliseconds with two decimals → decisions, in no order. */
export async function loadLatencies(
  client: TenantConnection,
  scope: DecisionScope,
): Promise<Map<number, number>> {
  const { rows } = await client.query<{ first_unit: number; counts: string }>({
    name: "load_latencies",
    text: `select segment * ${LATENCY_SEGMENT_UNITS} as first_unit, array_to_string(counts, ',') as counts
           from rollup_latencies where ${FOLDED}
           union all
           select unit, count(*)::text from rollup_deltas, unnest(latencies) as unit where ${PENDING} group by unit`,
    values: keyOf(scope),
  });
  const latencies = new Map<number, number>();
  for (const { first_unit: first, counts } of rows) {
    for (const [index, text] of counts.split(",").entries()) {
      const count = Number(text);
      if (count === 0) continue;
      const latencyMs = (first + index) / LATENCY_UNITS_PER_MS;
      latencies.set(latencyMs, (latencies.get(latencyMs) ?? 0) + count);
    }
  }
  return latencies;
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
