import { written, type Readers } from "../../platform/postgres/database-read.js";
import { loadSteps, loadWindowLatencies, loadWindowProviders, type StepCounts } from "./queries/analytics.js";
import type { CountedRange } from "./queries/counted-range.js";
import { loadHead, type RangeHead } from "./queries/range-head.js";
import { HOUR_MS } from "../../path/writer/copy/rollup-columns.js";
import { loadOverview } from "../decisions/service.js";
import { rangeStartMs } from "../../domain/vocabulary/range.js";
import type { DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import {
  ACTIONS,
  OUTCOMES,
  type Action,
  type Mode,
  type Outcome,
} from "../../domain/vocabulary/vocabulary.js";
import { steppedWindow, type SteppedWindow } from "./analytics-window.js";
import { isNarrowed, type AnalyticsQuery } from "./analytics-query.js";
import { findFacetFigures } from "./facet-figures.js";
import { findGroups, type GroupSteps } from "./facet-groups.js";
import { findMonths } from "./steps/history-months.js";
import { stepCalendar, UTC } from "./steps/step-calendar.js";
import { findReports } from "./analytics-reports.js";
import type { AnalyticsSummary } from "./wire/summary-response-schema.js";
import { percentile, presentCounts, rate } from "../../domain/statistics/figures.js";
import {
  firstReadableMs,
  SNAPSHOT,
  type TenantConnection,
  type TenantDb,
  type TenantTransaction,
} from "../../platform/postgres/tenant-db.js";

/** The reads that this feature sends to the reader thread. */
export interface AnalyticsRead {
  kind: "analytics";
  workspaceId: string;
  mode: Mode;
  query: AnalyticsQuery;
}

type SeriesPoint = AnalyticsSummary["series"][number];

interface Found {
  since: string | null;
  actions: Record<Action, number>;
  outcomes: Record<Outcome, number>;
  providers: { provider: string; count: number }[];
  /** Null if latencies are not counted for this query. */
  latencies: Map<number, number> | null;
  interval: AnalyticsSummary["series_interval"];
  series: SeriesPoint[];
}

/**
 * ANA-1: GET /v1/analytics/summary. Every figure is exact. The figures cover the decisions of the workspace and mode
 * made at or after `since`, enforce and shadow, and their outcomes until now. Percentiles are nearest rank.
 * `approval_rate` is approved/with_outcome, and `feedback_rate` is with_outcome/total. A rate over 0 is null.
 *
 * Figures come from the rollups. Single rows are read only for the hours that an end of the range cuts, so a long
 * range reads no more of them than a short one. `now` returns Unix milliseconds.
 */
export function createAnalyticsSummary(tenants: TenantDb, now: () => number) {
  return (workspaceId: string, mode: Mode, query: AnalyticsQuery): Promise<AnalyticsSummary> => {
    const nowMs = now();
    const scope = { workspaceId, mode, merchantScope: query.filter.merchantId };
    return tenants.of(workspaceId).transaction(async (client) => {
      const { figures, ...reports } = isNarrowed(query)
        ? { figures: await findNarrowed(client, scope, query, nowMs), cost: null, retries: null }
        : await findWhole(client, scope, query, nowMs);
      return {
        range: query.interval === null ? query.range : null,
        mode,
        ...figuresOf(figures),
        ...reports,
        ...(query.interval === null ? {} : { until: timeOrNull(query.interval.untilMs) }),
        ...(query.timeZone === null ? {} : { time_zone: query.timeZone }),
        ...(query.groupBy.length === 0
          ? {}
          : await findGroups(client, scope, query.filter, {
              ...partsOf(query, nowMs),
              steps: query.hasGroupSeries ? newestSteps(figures, query) : null,
            })),
        generated_at: new Date(nowMs).toISOString(),
      };
    }, SNAPSHOT);
  };
}

/** ANA-13 */
function newestSteps({ interval, series }: Found, query: AnalyticsQuery): GroupSteps {
  return {
    level: interval,
    calendar: stepCalendar(interval, zoneOf(query)),
    starts: series.slice(-LIMITS.analyticsGroupStepsMax).map(({ start }) => start),
  };
}

const zoneOf = ({ timeZone }: AnalyticsQuery): string => timeZone ?? UTC;

/** The interval of a query, and the inputs of its groups. */
function partsOf({ range, interval, groupBy }: AnalyticsQuery, nowMs: number) {
  const sinceMs = range === "all" ? null : rangeStartMs(range, nowMs);
  return { interval: interval ?? { sinceMs, untilMs: null }, nowMs, groupBy };
}

function timeOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

/** Computes the figures of all of a workspace's decisions, or of a range of them. */
async function findWhole(
  client: TenantTransaction,
  { workspaceId, mode }: DecisionScope,
  query: AnalyticsQuery,
  nowMs: number,
) {
  const [{ range }, zone] = [query, zoneOf(query)];
  const sinceMs = range === "all" ? null : rangeStartMs(range, nowMs);
  const counted = { workspaceId, mode, sinceMs, firstReadableMs: firstReadableMs(client) };
  const head = await loadHead(client, counted);
  const figures =
    range === "all"
      ? await findHistory(client, { workspaceId, mode, zone }, nowMs)
      : await findWindow(client, counted, head, steppedWindow(range, zone, nowMs));
  return { figures, ...(await findReports(client, counted, head.costs)) };
}

/** ANA-5 */
async function findNarrowed(
  client: TenantTransaction,
  scope: DecisionScope,
  query: AnalyticsQuery,
  nowMs: number,
): Promise<Found> {
  const { interval } = partsOf(query, nowMs);
  const asked = { interval, zone: zoneOf(query), nowMs };
  const { steps, ...figures } = await findFacetFigures(client, scope, query.filter, asked);
  return {
    ...figures,
    since: timeOrNull(interval.sinceMs),
    latencies: null,
    series: steps.map(({ startMs, ...counts }) => pointOf(startMs, counts)),
  };
}

/** The decisions of a workspace and mode, and the zone in which their days and months begin. */
interface WholeScope {
  workspaceId: string;
  mode: Mode;
  zone: string;
}

async function findWindow(
  client: TenantConnection,
  counted: CountedRange,
  head: RangeHead,
  { interval, sinceMs, steps: starts }: SteppedWindow,
): Promise<Found> {
  const window = { ...counted, sinceMs };
  const steps = await loadSteps(client, window, starts, head.counts);
  const providers = await loadWindowProviders(client, window, head.providers);
  const latencies = await loadWindowLatencies(client, window, head.latencies);
  const byStep = new Map(steps.map((counts) => [counts.step, counts]));
  return {
    since: new Date(sinceMs).toISOString(),
    actions: addUp(ACTIONS, steps, ({ actions }) => actions),
    outcomes: addUp(OUTCOMES, steps, ({ outcomes }) => outcomes),
    providers,
    latencies,
    interval,
    // Each step starts at a full hour or day, so that a chart can draw it. The first step counts only the decisions
    // within the range.
    series: starts.map((start) => pointOf(start * HOUR_MS, seriesCounts(byStep.get(start)))),
  };
}

async function findHistory(
  client: TenantConnection,
  { workspaceId, mode, zone }: WholeScope,
  nowMs: number,
): Promise<Found> {
  const scope = { workspaceId, mode, merchantScope: null };
  const { totals, providers, latencies } = await loadOverview(client, scope);
  const { actions, outcomes } = totals;
  const months = await findMonths(client, scope, zone, nowMs);
  const series = months.map(({ startMs, ...counts }) => pointOf(startMs, counts));
  return { since: null, actions, outcomes, providers, latencies, interval: "month", series };
}

const NOTHING = { total: 0, withOutcome: 0, approved: 0 };

function seriesCounts(counts: StepCounts | undefined): typeof NOTHING {
  if (counts === undefined) return NOTHING;
  return {
    total: sum(Object.values(counts.actions)),
    withOutcome: sum(Object.values(counts.outcomes)),
    approved: counts.outcomes.approved,
  };
}

function pointOf(startMs: number, { total, withOutcome, approved }: typeof NOTHING): SeriesPoint {
  return {
    start: new Date(startMs).toISOString(),
    total,
    with_outcome: withOutcome,
    approved,
    approval_rate: rate(approved, withOutcome),
  };
}

function figuresOf(found: Found) {
  const { since, actions, outcomes, providers, latencies, interval, series } = found;
  const total = sum(Object.values(actions));
  const withOutcome = sum(Object.values(outcomes));
  return {
    since,
    total,
    by_action: presentCounts(ACTIONS, actions).map(({ name, count }) => ({ action: name, count })),
    by_provider: providers,
    outcome_counts: presentCounts(OUTCOMES, outcomes).map(({ name, count }) => ({ outcome: name, count })),
    with_outcome: withOutcome,
    approved: outcomes.approved,
    approval_rate: rate(outcomes.approved, withOutcome),
    feedback_rate: rate(withOutcome, total),
    avg_latency_ms: latencies === null ? null : averageOf(latencies, total),
    p50_latency_ms: latencies === null ? null : percentile(latencies, 0.5),
    p95_latency_ms: latencies === null ? null : percentile(latencies, 0.95),
    p99_latency_ms: latencies === null ? null : percentile(latencies, 0.99),
    series_interval: interval,
    series,
  };
}

function averageOf(latencies: ReadonlyMap<number, number>, total: number): number | null {
  let sumMs = 0;
  // The order is fixed, because the order of additions can change the last digit of the sum.
  for (const [latencyMs, count] of [...latencies].toSorted(([a], [b]) => a - b)) sumMs += latencyMs * count;
  return rate(sumMs, total);
}

function addUp<K extends string>(
  names: readonly K[],
  steps: readonly StepCounts[],
  countsOf: (step: StepCounts) => Readonly<Record<K, number>>,
): Record<K, number> {
  const totals = names.map((name) => [name, sum(steps.map((step) => countsOf(step)[name]))]);
  return Object.fromEntries(totals) as Record<K, number>;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The reads of this feature that the reader thread answers. `now` returns Unix milliseconds. */
export function analyticsReaders(tenants: TenantDb, now: () => number): Readers<AnalyticsRead> {
  const summarize = createAnalyticsSummary(tenants, now);
  return { analytics: ({ workspaceId, mode, query }) => written(summarize(workspaceId, mode, query)) };
}
