import { idToHex } from "../shared/ids.js";
import { MODES, OUTCOMES, type Action, type Mode, type Outcome } from "../shared/vocabulary.js";
import {
  ENFORCE_COLUMNS,
  LATENCY_SEGMENT_UNITS,
  LATENCY_UNITS_PER_MS,
  OUTCOME_COLUMNS,
  SHADOW_COLUMNS,
} from "./rollup-columns.js";
import { actionsIn, countsOf, type SumsRow } from "./rollup-rows.js";
import type { TenantConnection } from "./tenant-db.js";

/** Whose decisions, and from which hour on (hours since 1970; a day's first where days are asked for). */
export interface AnalyticsWindow {
  workspaceId: string;
  mode: Mode;
  sinceHour: number;
}

/** Decisions and outcomes of the decisions made in one step of a time series. */
export interface StepCounts {
  /** Hours since 1970 divided by the hours of a step. */
  step: number;
  actions: Record<Action, number>;
  outcomes: Record<Outcome, number>;
}

const valuesOf = ({ workspaceId, mode, sinceHour }: AnalyticsWindow): unknown[] => [
  idToHex(workspaceId),
  MODES.indexOf(mode),
  sinceHour,
];
/** Rows of a window in the deltas that are not folded yet. */
const PENDING = "workspace_id = $1 and mode = $2 and hour >= $3";
/** And in the hours of a whole workspace. */
const FOLDED_HOURS = `${PENDING} and merchant_id = ''`;

const COUNTED = [...ENFORCE_COLUMNS, ...SHADOW_COLUMNS, ...OUTCOME_COLUMNS];
const SUMS = COUNTED.map((column) => `coalesce(sum(${column}), 0)::bigint as ${column}`).join(", ");

/** The steps of a window that hold anything, in no order. */
export async function loadSteps(
  client: TenantConnection,
  window: AnalyticsWindow,
  hoursPerStep: number,
): Promise<StepCounts[]> {
  const { rows } = await client.query<SumsRow & { step: number }>({
    name: "load_analytics_steps",
    text: `select hour / $4::integer as step, ${SUMS} from (
             select hour, ${COUNTED.join(", ")} from rollup_hours where ${FOLDED_HOURS}
             union all
             select hour, ${COUNTED.join(", ")} from rollup_deltas where ${PENDING}
           ) parts group by step`,
    values: [...valuesOf(window), hoursPerStep],
  });
  return rows.map(({ step, ...row }) => ({
    step,
    actions: actionsIn(row),
    outcomes: countsOf(OUTCOMES, OUTCOME_COLUMNS, row),
  }));
}

/** Decisions of a window by primary provider, most first. */
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
           ) parts group by provider order by count desc, provider`,
    values: valuesOf(window),
  });
  return rows.map(({ provider, count }) => ({ provider, count: Number(count) }));
}

/** How many decisions of a window took how long: milliseconds with two decimals → decisions, in no order. */
export async function loadWindowLatencies(
  client: TenantConnection,
  window: AnalyticsWindow,
  slots: "hours" | "days",
): Promise<Map<number, number>> {
  const folded =
    slots === "hours"
      ? `rollup_latency_hours where ${PENDING}`
      : "rollup_latency_days where workspace_id = $1 and mode = $2 and day >= $3 / 24";
  const { rows } = await client.query<{ unit: number; count: string }>({
    name: `load_window_latencies_${slots}`,
    text: `select unit, sum(count)::bigint as count from (
             select segment * ${LATENCY_SEGMENT_UNITS} + (position - 1)::integer as unit, count
             from (select segment, counts from ${folded}) slots, unnest(counts) with ordinality as c(count, position)
             where count > 0
             union all
             select unit, 1 from rollup_deltas, unnest(latencies) as unit where ${PENDING}
           ) parts group by unit`,
    values: valuesOf(window),
  });
  return new Map(rows.map(({ unit, count }) => [unit / LATENCY_UNITS_PER_MS, Number(count)]));
}

export interface MonthCounts {
  /** Months since the year 0, UTC. */
  month: number;
  total: number;
  withOutcome: number;
  approved: number;
}

const each = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(${column}, 0)`).join(" + ");

/** Every month of a workspace that holds anything, oldest first. */
export async function loadMonths(
  client: TenantConnection,
  { workspaceId, mode }: Omit<AnalyticsWindow, "sinceHour">,
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
    values: [idToHex(workspaceId), MODES.indexOf(mode)],
  });
  return rows.map((row) => ({
    month: row.month,
    total: Number(row.total),
    withOutcome: Number(row.with_outcome),
    approved: Number(row.approved),
  }));
}
