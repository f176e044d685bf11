import type { Level } from "../../path/writer/copy/facet-periods.js";
import { HOUR_MS } from "../../path/writer/copy/rollup-columns.js";
import { strayHours, type StepCalendar } from "./steps/step-calendar.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { DecisionFilter, DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import type { FacetColumn } from "../../domain/vocabulary/facets.js";
import { CARD_NETWORKS, OUTCOMES, PAYMENT_METHODS } from "../../domain/vocabulary/vocabulary.js";
import { rate } from "../../domain/statistics/figures.js";
import { proportionDifference } from "../../domain/statistics/proportion-difference.js";
import { FAMILY_OF, OUTCOMES_AT } from "../../path/writer/copy/facet-counters.js";
import type { Interval } from "../../platform/http/interval-query.js";
import type { TenantTransaction } from "../../platform/postgres/tenant-db.js";
import { eachFacetCount, loadGroupedFacets, type GroupedFacets } from "../decisions/service.js";
import type { AnalyticsSummary } from "./wire/summary-response-schema.js";

type Group = NonNullable<AnalyticsSummary["groups"]>[number];
type Comparison = NonNullable<AnalyticsSummary["comparison"]>;

export interface ComparedGroups {
  comparison: Comparison;
  groups: Group[];
  groups_total: number;
  group_steps?: string[];
}

/** ANA-13: the consecutive steps of the groups' series, oldest first. */
export interface GroupSteps {
  level: Level;
  calendar: StepCalendar;
  /** ISO 8601. */
  starts: string[];
}

interface Counts {
  decisions: number;
  withOutcome: number;
  approved: number;
  /** The steps by their position in `GroupSteps.starts`. Empty steps are missing. */
  series: Map<number, Step>;
}

interface Step {
  with_outcome: number;
  approved: number;
}

const APPROVED_AT = OUTCOMES_AT[OUTCOMES.indexOf("approved")];

interface GroupedQuery {
  interval: Interval;
  nowMs: number;
  groupBy: readonly FacetColumn[];
  /** Null if no series are requested. */
  steps: GroupSteps | null;
}

/** ANA-6, ANA-7: computes the groups of an interval and a filter, and compares each group with the period before. */
export async function findGroups(
  client: TenantTransaction,
  scope: DecisionScope,
  filter: DecisionFilter,
  { interval, nowMs, groupBy, steps }: GroupedQuery,
): Promise<ComparedGroups> {
  const grouped = await loadGroupedFacets(client, { scope, filter, columns: groupBy });
  const [now = [], before = null] = await countGroups(client, grouped, steps, [
    interval,
    ...periodBefore(interval, nowMs),
  ]);
  const groups = grouped.keys
    .map((key, at) => {
      const counts = now[at] ?? NOTHING;
      const group = groupOf(groupBy, key, counts, before === null ? null : (before[at] ?? NOTHING));
      return { group, counted: counts.series };
    })
    .filter(({ group }) => group.decisions > 0 || (group.before?.decisions ?? 0) > 0)
    .toSorted((a, b) => byLostApprovals(a.group, b.group));
  return {
    comparison: compare(sumOf(now), before === null ? null : sumOf(before)),
    groups: groups
      .slice(0, LIMITS.analyticsGroupsMax)
      .map(({ group, counted }, at) =>
        steps === null || at >= LIMITS.analyticsGroupSeriesMax
          ? group
          : { ...group, series: seriesOf(steps, counted) },
      ),
    groups_total: groups.length,
    ...(steps === null ? {} : { group_steps: steps.starts }),
  };
}

/**
 * ANA-7: the period directly before the interval, as long as the elapsed part of the interval. There is none if the
 * interval has no beginning, or begins in the future.
 */
function periodBefore({ sinceMs, untilMs }: Interval, nowMs: number): Interval[] {
  if (sinceMs === null) return [];
  const lengthMs = Math.min(untilMs ?? nowMs, nowMs) - sinceMs;
  return lengthMs <= 0 ? [] : [{ sinceMs: Math.max(0, sinceMs - lengthMs), untilMs: sinceMs }];
}

const NO_STEP: Readonly<Step> = { with_outcome: 0, approved: 0 };

function seriesOf({ starts }: GroupSteps, counted: ReadonlyMap<number, Readonly<Step>>): Readonly<Step>[] {
  return starts.map((_, position) => counted.get(position) ?? NO_STEP);
}

const NOTHING: Counts = { decisions: 0, withOutcome: 0, approved: 0, series: new Map() };

type GroupCounts = readonly (Counts | undefined)[];

/**
 * Returns each group's counts in each interval, at the group's position in `grouped.keys`. Only the first interval has
 * steps.
 */
async function countGroups(
  client: TenantTransaction,
  grouped: GroupedFacets,
  steps: GroupSteps | null,
  intervals: readonly Interval[],
): Promise<GroupCounts[]> {
  const found = intervals.map((): Counts[] => []);
  const positions = new Map(steps?.starts.map((start, position) => [Date.parse(start) / HOUR_MS, position]));
  const counted = intervals.map((interval, at) =>
    steps === null || at > 0
      ? interval
      : { ...interval, steps: { longest: steps.level, strayHours: strayHours.bind(null, steps.calendar) } },
  );
  await eachFacetCount(client, grouped, counted, (at, hour, group, counter, number) => {
    const ofGroup = ((found[at] as Counts[])[group] ??= { ...NOTHING, series: new Map() });
    if (FAMILY_OF[counter] === "decided") ofGroup.decisions += number;
    else {
      ofGroup.withOutcome += number;
      if (counter === APPROVED_AT) ofGroup.approved += number;
      const position = steps === null || at > 0 ? undefined : positions.get(steps.calendar.stepOf(hour));
      if (position !== undefined) addStep(ofGroup.series, position, counter, number);
    }
  });
  return found;
}

function addStep(series: Map<number, Step>, position: number, counter: number, number: number): void {
  let step = series.get(position);
  if (step === undefined) {
    step = { ...NO_STEP };
    series.set(position, step);
  }
  step.with_outcome += number;
  if (counter === APPROVED_AT) step.approved += number;
}

function sumOf(groups: GroupCounts): Counts {
  const sum = { ...NOTHING };
  for (const counts of groups) {
    sum.decisions += counts?.decisions ?? 0;
    sum.withOutcome += counts?.withOutcome ?? 0;
    sum.approved += counts?.approved ?? 0;
  }
  return sum;
}

function groupOf(
  columns: readonly FacetColumn[],
  key: readonly string[],
  now: Counts,
  before: Counts | null,
): Group {
  const entries = columns.map((column, at) => [column, valueOf(column, key[at] as string)]);
  return { key: Object.fromEntries(entries) as Group["key"], ...countsOf(now), ...compare(now, before) };
}

/** Converts a value of the table `facets` to the API's value. */
function valueOf(column: FacetColumn, text: string): string | null {
  if (column === "payment_method") return PAYMENT_METHODS[Number(text)] ?? null;
  if (column === "card_network") return CARD_NETWORKS[Number(text)] ?? null;
  return text === "" ? null : text;
}

function countsOf({ decisions, withOutcome, approved }: Counts) {
  return { decisions, with_outcome: withOutcome, approved, approval_rate: rate(approved, withOutcome) };
}

function compare(now: Counts, before: Counts | null): Comparison {
  if (before === null) return { before, difference: null, lost_approvals: null };
  if (now.withOutcome === 0 || before.withOutcome === 0) {
    return { before: countsOf(before), difference: null, lost_approvals: null };
  }
  const { difference, low, high } = proportionDifference(
    { part: now.approved, whole: now.withOutcome },
    { part: before.approved, whole: before.withOutcome },
  );
  return {
    before: countsOf(before),
    difference: { points: 100 * difference, low: 100 * low, high: 100 * high },
    lost_approvals: (now.withOutcome * before.approved) / before.withOutcome - now.approved,
  };
}

function byLostApprovals(a: Group, b: Group): number {
  const lostOf = ({ lost_approvals: lost }: Group): number => lost ?? Number.NEGATIVE_INFINITY;
  if (lostOf(a) !== lostOf(b)) return lostOf(b) > lostOf(a) ? 1 : -1;
  return b.decisions - a.decisions || (textOf(a) < textOf(b) ? -1 : 1);
}

function textOf({ key }: Group): string {
  return Object.values(key).join(",");
}
