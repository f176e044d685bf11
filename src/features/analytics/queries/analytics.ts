import { ACTIONS, OUTCOMES, type Action, type Outcome } from "../../../domain/vocabulary/vocabulary.js";
import { HEAD, ownerValues, partsOf, type CountedRange } from "./counted-range.js";
import { countOlderHead, countOlderLatencies, countOlderProviders, type HeadCount } from "./older-head.js";
import {
  ENFORCE_COLUMNS,
  HOUR_MS,
  LATENCY_SEGMENT_UNITS,
  LATENCY_UNITS_PER_MS,
  OUTCOME_COLUMNS,
  SHADOW_COLUMNS,
} from "../../../path/writer/copy/rollup-columns.js";
import { actionsIn, countsOf, type SumsRow } from "../../../path/writer/copy/rollup-counts.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** The workspace, mode and start of the decisions to count. */
export interface AnalyticsWindow extends CountedRange {
  sinceMs: number;
}

/** The counts of the decisions made in one step of a time series, and of their outcomes. */
export interface StepCounts {
  /** The first hour of the step, in hours since 1970. */
  step: number;
  actions: Record<Action, number>;
  outcomes: Record<Outcome, number>;
}

/** Selects the deltas that are not folded yet, from the first whole hour on. $5 is that hour. */
const PENDING = "workspace_id = $1 and mode = $2 and hour >= $5";
/** Selects the folded hours of the whole workspace. */
const FOLDED_HOURS = `${PENDING} and merchant_id = ''`;

/** The values of $1 to $5. $3 and $4 bound the ids in the partial first hour. */
function windowValues(window: AnalyticsWindow): unknown[] {
  const { headStart, headEnd, firstHour } = partsOf(window.sinceMs);
  return [...ownerValues(window), headStart, headEnd, firstHour];
}

const COUNTED = [...ENFORCE_COLUMNS, ...SHADOW_COLUMNS, ...OUTCOME_COLUMNS];
const flagsOf = (values: readonly string[], condition: (position: number) => string): string[] =>
  values.map((_, position) => `coalesce(${condition(position)}, false)::integer`);
/**
 * The flags of one row, in the order of `COUNTED`. Each flag is 1 or 0. `decision_mode` 0 is enforce, and 1 is shadow.
 */
const FLAGS = [
  ...flagsOf(ENFORCE_COLUMNS, (action) => `decision_mode = 0 and action = ${action}`),
  ...flagsOf(SHADOW_COLUMNS, (action) => `decision_mode = 1 and action = ${action}`),
  ...flagsOf(OUTCOME_COLUMNS, (outcome) => `outcome = ${outcome}`),
].join(", ");

/**
 * Selects the first hour's decisions with their outcomes. They are grouped instead of joined, for the reason in
 * features/decisions/queries/shadow.ts.
 */
const HEAD_ROWS = `
  select max(action) as action, max(decision_mode) as decision_mode, max(outcome) as outcome
  from (
    select decision_id, action, decision_mode, null::smallint as outcome from decisions where ${HEAD}
    union all
    select decision_id, null, null, outcome from outcomes where ${HEAD}
  ) found group by decision_id having max(action) is not null`;

const SUMS = COUNTED.map((column) => `coalesce(sum(${column}), 0)::bigint as ${column}`).join(", ");

/**
 * Loads the steps of a window that have decisions, in any order. `starts` has the first hour of each step, in
 * ascending order. The window begins in the first step.
 */
export async function loadSteps(
  client: TenantConnection,
  window: AnalyticsWindow,
  starts: readonly number[],
): Promise<StepCounts[]> {
  const { rows } = await client.query<SumsRow & { step: number }>({
    name: "load_analytics_steps",
    text: `select ($7::integer[])[width_bucket(hour, $7::integer[])] as step, ${SUMS} from (
             select hour, ${COUNTED.join(", ")} from rollup_hours where ${FOLDED_HOURS}
             union all
             select hour, ${COUNTED.join(", ")} from rollup_deltas where ${PENDING}
             union all
             select $6::integer, ${FLAGS} from (${HEAD_ROWS}) head
           ) parts group by step`,
    values: [...windowValues(window), Math.floor(window.sinceMs / HOUR_MS), starts],
  });
  const steps = rows.map(({ step, ...row }) => ({
    step,
    actions: actionsIn(row),
    outcomes: countsOf(OUTCOMES, OUTCOME_COLUMNS, row),
  }));
  return withOlderHead(steps, starts[0] as number, await countOlderHead(client, window));
}

/** CH-15: adds ClickHouse's counts of the first hour to the first step. */
function withOlderHead(steps: StepCounts[], step: number, head: readonly HeadCount[]): StepCounts[] {
  if (head.length === 0) return steps;
  const none = { step, actions: actionsIn({}), outcomes: countsOf(OUTCOMES, OUTCOME_COLUMNS, {}) };
  const first = steps.find((counts) => counts.step === step) ?? none;
  for (const { action, outcome, number } of head) {
    first.actions[ACTIONS[action] as Action] += Number(number);
    if (outcome !== null) first.outcomes[OUTCOMES[outcome] as Outcome] += Number(number);
  }
  return [first, ...steps.filter((counts) => counts !== first)];
}

/** Counts a window's decisions by primary provider, highest count first. */
export async function loadWindowProviders(
  client: TenantConnection,
  window: AnalyticsWindow,
): Promise<{ provider: string; count: number }[]> {
  const { rows } = await client.query<{ provider: string; count: string }>({
    name: "load_window_providers",
    text: `select provider, sum(decisions)::bigint as count from (
             select provider, decisions from rollup_provider_hours where ${PENDING}
             union all
             select provider, number
             from rollup_deltas, unnest(providers, provider_decisions) as counted (provider, number) where ${PENDING}
             union all
             select primary_provider, 1 from decisions where ${HEAD} and primary_provider is not null
           ) parts group by provider order by count desc, provider`,
    values: windowValues(window),
  });
  const older = await countOlderProviders(client, window);
  if (older.length === 0) return rows.map(({ provider, count }) => ({ provider, count: Number(count) }));
  const counts = new Map<string, number>();
  for (const { provider, count } of [...rows, ...older]) {
    counts.set(provider, (counts.get(provider) ?? 0) + Number(count));
  }
  return Array.from(counts, ([provider, count]) => ({ provider, count })).toSorted(
    (a, b) => b.count - a.count || (a.provider < b.provider ? -1 : 1),
  );
}

/** Maps each latency, in milliseconds with two decimals, to its number of decisions, in any order. */
export async function loadWindowLatencies(
  client: TenantConnection,
  window: AnalyticsWindow,
): Promise<Map<number, number>> {
  const { firstDay } = partsOf(window.sinceMs);
  const { rows } = await client.query<{ unit: number; count: string }>({
    name: "load_window_latencies",
    text: `select unit, sum(count)::bigint as count from (
             select segment * ${LATENCY_SEGMENT_UNITS} + (position - 1)::integer as unit, count
             from (
               select segment, counts from rollup_latency_hours where ${PENDING} and hour < $6 * 24
               union all
               select segment, counts from rollup_latency_days where workspace_id = $1 and mode = $2 and day >= $6
             ) slots, unnest(counts) with ordinality as c(count, position)
             where count > 0
             union all
             select unit, 1 from rollup_deltas, unnest(latencies) as unit where ${PENDING}
             union all
             select latency_units, 1 from decisions where ${HEAD}
           ) parts group by unit`,
    values: [...windowValues(window), firstDay],
  });
  const counts = new Map<number, number>();
  for (const { unit, count } of [...rows, ...(await countOlderLatencies(client, window))]) {
    const latencyMs = unit / LATENCY_UNITS_PER_MS;
    counts.set(latencyMs, (counts.get(latencyMs) ?? 0) + Number(count));
  }
  return counts;
}

export interface MonthCounts {
  /** The number of the month: months since the year 0, UTC. */
  month: number;
  total: number;
  withOutcome: number;
  approved: number;
}

const each = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(${column}, 0)`).join(" + ");

/** Loads every month of a workspace that has decisions, oldest first. */
export async function loadMonths(
  client: TenantConnection,
  { workspaceId, mode }: Omit<AnalyticsWindow, "sinceMs">,
): Promise<MonthCounts[]> {
  const { rows } = await client.query<{
    month: number;
    total: string;
    with_outcome: string;
    approved: string;
  }>({
    name: "load_analytics_months",
    text: `select month, sum(total)::bigint as total, sum(with_outcome)::bigint as with_outcome,
             sum(approved)::bigint as approved
           from (
             select month, enforced + shadow as total, with_outcome, approved from rollup_months
             where workspace_id = $1 and mode = $2 and merchant_id = ''
             union all
             select hour_month(hour), ${each([...ENFORCE_COLUMNS, ...SHADOW_COLUMNS])}, ${each(OUTCOME_COLUMNS)},
               coalesce(o0, 0)
             from rollup_deltas where workspace_id = $1 and mode = $2
           ) parts group by month order by month`,
    values: ownerValues({ workspaceId, mode }),
  });
  return rows.map((row) => ({
    month: row.month,
    total: Number(row.total),
    withOutcome: Number(row.with_outcome),
    approved: Number(row.approved),
  }));
}

/** Loads the counts of `loadMonths` for single hours of the whole workspace. Hours are counted from 1970. */
export async function loadHours(
  client: TenantConnection,
  { workspaceId, mode }: Omit<AnalyticsWindow, "sinceMs">,
  hours: readonly number[],
): Promise<(Omit<MonthCounts, "month"> & { hour: number })[]> {
  const total = each([...ENFORCE_COLUMNS, ...SHADOW_COLUMNS]);
  const counted = `hour, ${total} as total, ${each(OUTCOME_COLUMNS)} as with_outcome, coalesce(o0, 0) as approved`;
  const { rows } = await client.query<{
    hour: number;
    total: string;
    with_outcome: string;
    approved: string;
  }>({
    name: "load_analytics_hours",
    text: `select hour, sum(total)::bigint as total, sum(with_outcome)::bigint as with_outcome,
             sum(approved)::bigint as approved
           from (
             select ${counted} from rollup_hours
             where workspace_id = $1 and mode = $2 and merchant_id = '' and hour = any($3::integer[])
             union all
             select ${counted} from rollup_deltas
             where workspace_id = $1 and mode = $2 and hour = any($3::integer[])
           ) parts group by hour`,
    values: [...ownerValues({ workspaceId, mode }), hours],
  });
  return rows.map((row) => ({
    hour: row.hour,
    total: Number(row.total),
    withOutcome: Number(row.with_outcome),
    approved: Number(row.approved),
  }));
}
