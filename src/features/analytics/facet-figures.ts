import {
  ENFORCED_AT,
  FACET_COUNTERS,
  OUTCOMES_AT,
  SHADOWED_AT,
} from "../../path/writer/copy/facet-counters.js";
import { DAY_HOURS, type Level } from "../../path/writer/copy/facet-periods.js";
import { HOUR_MS } from "../../path/writer/copy/rollup-columns.js";
import type { DecisionFilter, DecisionScope } from "../../domain/vocabulary/decision-scope.js";
import { ACTIONS, OUTCOMES, type Action, type Outcome } from "../../domain/vocabulary/vocabulary.js";
import type { Interval } from "../../platform/http/interval-query.js";
import type { TenantTransaction } from "../../platform/postgres/tenant-db.js";
import { eachFacetCount, loadGroupedFacets } from "../decisions/service.js";
import { stepCalendar, stepsBetween, strayHours, type StepCalendar } from "./steps/step-calendar.js";

interface StepSums {
  total: number;
  withOutcome: number;
  approved: number;
}

/** The counts of one step of a series. */
interface StepCount extends StepSums {
  /** Unix milliseconds. */
  startMs: number;
}

/** The figures of a part of a workspace's decisions. */
export interface FacetFigures {
  actions: Record<Action, number>;
  outcomes: Record<Outcome, number>;
  /** By primary provider, highest count first. */
  providers: { provider: string; count: number }[];
  interval: Level;
  /** Oldest first. Empty steps are included. */
  steps: StepCount[];
}

const HOURLY_MS_MAX = 72 * HOUR_MS;
const DAILY_MS_MAX = 92 * DAY_HOURS * HOUR_MS;

const DECIDED = new Set([...ENFORCED_AT, ...SHADOWED_AT]);
const NOTHING: StepSums = { total: 0, withOutcome: 0, approved: 0 };
const APPROVED_AT = OUTCOMES_AT[OUTCOMES.indexOf("approved")];

/** ANA-5, ANA-14: computes the figures of an interval and a filter from facets. Days and months are those of `zone`. */
export async function findFacetFigures(
  client: TenantTransaction,
  scope: DecisionScope,
  filter: DecisionFilter,
  { interval, zone, nowMs }: { interval: Interval; zone: string; nowMs: number },
): Promise<FacetFigures> {
  const level = levelOf(interval, nowMs);
  const calendar = stepCalendar(level, zone);
  const counts = new Float64Array(FACET_COUNTERS.length);
  const decisionsOf: number[] = [];
  const steps = new Map<number, StepSums>();
  const grouped = await loadGroupedFacets(client, { scope, filter, columns: ["provider"] });
  const counted = { ...interval, steps: { longest: level, strayHours: strayHours.bind(null, calendar) } };
  await eachFacetCount(client, grouped, [counted], (_, hour, group, counter, number) => {
    counts[counter] = (counts[counter] as number) + number;
    const step = calendar.stepOf(hour);
    let sums = steps.get(step);
    if (sums === undefined) {
      sums = { ...NOTHING };
      steps.set(step, sums);
    }
    if (DECIDED.has(counter)) {
      decisionsOf[group] = (decisionsOf[group] ?? 0) + number;
      sums.total += number;
    } else {
      sums.withOutcome += number;
      if (counter === APPROVED_AT) sums.approved += number;
    }
  });
  return {
    actions: countsAt(ACTIONS, (at) => countAt(counts, ENFORCED_AT, at) + countAt(counts, SHADOWED_AT, at)),
    outcomes: countsAt(OUTCOMES, (at) => countAt(counts, OUTCOMES_AT, at)),
    providers: grouped.keys
      .map(([provider], group) => ({ provider: provider as string, count: decisionsOf[group] ?? 0 }))
      .filter(({ provider, count }) => provider !== "" && count > 0)
      .toSorted((a, b) => b.count - a.count || (a.provider < b.provider ? -1 : 1)),
    interval: level,
    steps: stepsOf(level, calendar, steps, { interval, nowMs }),
  };
}

function countAt(counts: Float64Array, positions: readonly number[], at: number): number {
  return counts[positions[at] as number] as number;
}

function countsAt<K extends string>(names: readonly K[], countOf: (at: number) => number): Record<K, number> {
  return Object.fromEntries(names.map((name, at) => [name, countOf(at)])) as Record<K, number>;
}

/** Returns the level that gives a series a few dozen to a hundred steps. */
function levelOf({ sinceMs, untilMs }: Interval, nowMs: number): Level {
  if (sinceMs === null) return "month";
  const lengthMs = (untilMs ?? nowMs) - sinceMs;
  if (lengthMs <= HOURLY_MS_MAX) return "hour";
  return lengthMs <= DAILY_MS_MAX ? "day" : "month";
}

function stepsOf(
  level: Level,
  calendar: StepCalendar,
  counted: ReadonlyMap<number, StepSums>,
  { interval: { sinceMs, untilMs }, nowMs }: { interval: Interval; nowMs: number },
): StepCount[] {
  const hourOf = (timeMs: number): number => Math.floor(timeMs / HOUR_MS);
  // The counts of stray hours move from one step to another. A step that is left empty is skipped, because it may lie
  // outside the interval.
  const present = [...counted].flatMap(([step, { total, withOutcome }]) =>
    total + withOutcome > 0 ? step : [],
  );
  const last = Math.max(hourOf(Math.min(untilMs === null ? nowMs : untilMs - 1, nowMs)), ...present);
  const oldest = Math.min(last, ...present);
  // A series of months begins with the first decision, because the interval may begin in 1970.
  const first = sinceMs === null || level === "month" ? oldest : hourOf(sinceMs);
  return stepsBetween(calendar, first, last).map((step) => ({
    startMs: step * HOUR_MS,
    ...(counted.get(step) ?? NOTHING),
  }));
}
