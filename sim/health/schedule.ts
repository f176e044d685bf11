import type { IncidentTime, Scenario } from "./scenarios.js";
import { paymentsPerSecond, type World } from "./world.js";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NEAR_BEFORE_MS = MINUTE_MS;
const NEAR_AFTER_MS = 10 * MINUTE_MS;
/** Simulated seconds from step to step far from any incident. Health states hold longer than that. */
const QUIET_STEP_SECONDS = 10;
/** A Monday. */
const WEEK_MS = Date.UTC(2026, 0, 5);

export interface Schedule {
  readonly fromMs: number;
  readonly toMs: number;
  readonly learningDays: number;
  readonly incidents: readonly IncidentTime[];
}

/**
 * A week after a week of learning. Each day but the first has an incident. It begins in the minute in which the traffic
 * of the day rises to `incidentAtPerSecond`. An incident without an end begins on the second day.
 */
export function weekOf(
  scenario: Scenario,
  world: World,
  meanPerSecond: number,
  incidentAtPerSecond: number,
): Schedule {
  const toMs = WEEK_MS + 7 * DAY_MS;
  const days = Number.isFinite(scenario.lastsMs) ? [1, 2, 3, 4, 5, 6] : [1];
  if (scenario.plant === null) return { fromMs: WEEK_MS, toMs, learningDays: 7, incidents: [] };
  const incidents = days.map((day) => {
    const dayMs = WEEK_MS + day * DAY_MS;
    const isBusy = (atMs: number): boolean =>
      paymentsPerSecond(world, meanPerSecond, atMs) >= incidentAtPerSecond;
    const fromMs = firstMinute(dayMs, (atMs) => isBusy(atMs) && !isBusy(atMs - MINUTE_MS));
    return { fromMs, toMs: Math.min(toMs, fromMs + scenario.lastsMs) };
  });
  return { fromMs: WEEK_MS, toMs, learningDays: 7, incidents };
}

/** A few hours around one incident, after some days of learning. */
export function hoursAround(scenario: Scenario, learningDays: number, hours: number): Schedule {
  const fromMs = WEEK_MS + DAY_MS / 2;
  const toMs = fromMs + hours * 60 * MINUTE_MS;
  const beginMs = fromMs + 10 * MINUTE_MS;
  const incident = { fromMs: beginMs, toMs: Math.min(toMs, beginMs + scenario.lastsMs) };
  return { fromMs, toMs, learningDays, incidents: scenario.plant === null ? [] : [incident] };
}

function firstMinute(dayMs: number, isRight: (atMs: number) => boolean): number {
  for (let atMs = dayMs; atMs < dayMs + DAY_MS; atMs += MINUTE_MS) if (isRight(atMs)) return atMs;
  throw new RangeError("the traffic never rises to so many payments");
}

/**
 * Returns 1 s around the beginning and the end of an incident, where every second matters, and larger steps elsewhere.
 */
export function stepSecondsAt({ incidents }: Pick<Schedule, "incidents">, nowMs: number): number {
  const isNear = (atMs: number): boolean => nowMs >= atMs - NEAR_BEFORE_MS && nowMs < atMs + NEAR_AFTER_MS;
  return incidents.some(({ fromMs, toMs }) => isNear(fromMs) || isNear(toMs)) ? 1 : QUIET_STEP_SECONDS;
}
