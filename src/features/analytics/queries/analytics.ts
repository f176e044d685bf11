import { ACTIONS, OUTCOMES, type Action, type Outcome } from "../../../domain/vocabulary/vocabulary.js";
import { ownerValues, partsOf, type CountedRange } from "./counted-range.js";
import type { HeadCount, HeadLatency, HeadProvider } from "./older-head.js";
import {
  ENFORCE_COLUMNS,
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

/** Selects the deltas that are not folded yet, from the first whole hour on. $3 is that hour. */
const PENDING = "workspace_id = $1 and mode = $2 and hour >= $3";
/** Selects the folded hours of the whole workspace. */
const FOLDED_HOURS = `${PENDING} and merchant_id = ''`;

/** The values of $1 to $3. */
function windowValues(window: AnalyticsWindow): unknown[] {
  return [...ownerValues(window), partsOf(window).firstHour];
}

const COUNTED = [...ENFORCE_COLUMNS, ...SHADOW_COLUMNS, ...OUTCOME_COLUMNS];
const SUMS = COUNTED.map((column) => `coalesce(sum(${column}), 0)::bigint as ${column}`).join(", ");

/**
 * Loads the steps of a window that have decisions, in any order. `starts` has the first hour of each step, in
 * ascending order. The window begins in the first step. `head` has the counts of the window's first hour.
 */
export async function loadSteps(
  client: TenantConnection,
  window: AnalyticsWindow,
  starts: readonly number[],
  head: readonly HeadCount[],
): Promise<StepCounts[]> {
  const { rows } = await client.query<SumsRow & { step: number }>({
    name: "load_analytics_steps",
    text: `select ($4::integer[])[width_bucket(hour, $4::integer[])] as step, ${SUMS} from (
             select hour, ${COUNTED.join(", ")} from rollup_hours where ${FOLDED_HOURS}
             union all
             select hour, ${COUNTED.join(", ")} from rollup_deltas where ${PENDING}
           ) parts group by step`,
    values: [...windowValues(window), starts],
  });
  const steps = rows.map(({ step, ...row }) => ({
    step,
    actions: actionsIn(row),
    outcomes: countsOf(OUTCOMES, OUTCOME_COLUMNS, row),
  }));
  return withHead(steps, starts[0] as number, head);
}

/** Adds the counts of the first hour to the first step. */
function withHead(steps: StepCounts[], step: number, head: readonly HeadCount[]): StepCounts[] {
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
  head: readonly HeadProvider[],
): Promise<{ provider: string; count: number }[]> {
  const { rows } = await client.query<HeadProvider>({
    name: "load_window_providers",
    text: `select provider, sum(decisions)::bigint as number from (
             select provider, decisions from rollup_provider_hours where ${PENDING}
             union all
             select provider, number
             from rollup_deltas, unnest(providers, provider_decisions) as counted (provider, number) where ${PENDING}
           ) parts group by provider`,
    values: windowValues(window),
  });
  const counts = addUp([...rows, ...head].map(({ provider, number }) => [provider, Number(number)]));
  return Array.from(counts, ([provider, count]) => ({ provider, count })).toSorted(
    (a, b) => b.count - a.count || (a.provider < b.provider ? -1 : 1),
  );
}

/** Maps each latency, in milliseconds with two decimals, to its number of decisions, in any order. */
export async function loadWindowLatencies(
  client: TenantConnection,
  window: AnalyticsWindow,
  head: readonly HeadLatency[],
): Promise<Map<number, number>> {
  const { rows } = await client.query<HeadLatency>({
    name: "load_window_latencies",
    text: `select unit, sum(count)::bigint as number from (
             select segment * ${LATENCY_SEGMENT_UNITS} + (position - 1)::integer as unit, count
             from (
               select segment, counts from rollup_latency_hours where ${PENDING} and hour < $4 * 24
               union all
               select segment, counts from rollup_latency_days where workspace_id = $1 and mode = $2 and day >= $4
             ) slots, unnest(counts) with ordinality as c(count, position)
             where count > 0
             union all
             select unit, 1 from rollup_deltas, unnest(latencies) as unit where ${PENDING}
           ) parts group by unit`,
    values: [...windowValues(window), partsOf(window).firstDay],
  });
  return addUp([...rows, ...head].map(({ unit, number }) => [unit / LATENCY_UNITS_PER_MS, Number(number)]));
}

/** Adds up the numbers of each key. Leaves out keys whose sum is 0. */
function addUp<Key>(numbers: readonly (readonly [Key, number])[]): Map<Key, number> {
  const sums = new Map<Key, number>();
  for (const [key, number] of numbers) {
    const sum = (sums.get(key) ?? 0) + number;
    if (sum === 0) sums.delete(key);
    else sums.set(key, sum);
  }
  return sums;
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
  { workspaceId, mode }: Pick<AnalyticsWindow, "workspaceId" | "mode">,
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
  { workspaceId, mode }: Pick<AnalyticsWindow, "workspaceId" | "mode">,
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
