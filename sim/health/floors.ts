import type { FloorResult } from "../../bench/harness/floor-result.js";
import type { IncidentFigures } from "./incident-watch.js";
import { SCENARIO } from "./scenarios.js";
import type { ScenarioFigures } from "./simulate.js";

const DAY_SECONDS = 86_400;

/** The promises of the issue Contract-2, "Health that learns from every payment". */
export const FLOORS = {
  outageDemotedMs: 60_000,
  outagePaymentsPerSecond: 5,
  issuerMovePoints: 2,
  falseDemotionsPerWeek: 1,
  backMs: 180_000,
} as const;

/** The mean of payments a second, in words. */
export function perSecondOf({ payments, days }: Pick<ScenarioFigures, "payments" | "days">): string {
  return (payments / (days * DAY_SECONDS)).toFixed(1);
}

/** One row for each floor that the scenario can miss. */
export function checkFloors(figures: ScenarioFigures): FloorResult[] {
  const { name, loss, falseDemotions, days } = figures;
  const title = `${name}, ${perSecondOf(figures)} a second`;
  const perWeek = (falseDemotions.length * 7) / Math.max(days, 7);
  const floors: FloorResult[] = [
    {
      passed: loss.estimate < loss.flat && loss.estimate < loss.global,
      line: `${title}: log-loss ${loss.estimate.toFixed(5)}, below flat ${loss.flat.toFixed(5)} and global ${loss.global.toFixed(5)}`,
    },
  ];
  const [fewest, what] =
    name === "customer errors" ? [0, "demotions"] : [FLOORS.falseDemotionsPerWeek, "false demotions a week"];
  floors.push({
    passed: perWeek <= fewest,
    line: `${title}: ${perWeek.toFixed(1)} ${what}, at most ${fewest}`,
  });
  return [...floors, ...incidentFloors(title, figures)];
}

function incidentFloors(title: string, { name, incidents }: ScenarioFigures): FloorResult[] {
  const floors: FloorResult[] = [];
  if (name === "provider outage") {
    const demoted = worst(incidents, firstDemotionMs);
    floors.push({
      passed: demoted <= FLOORS.outageDemotedMs,
      line: `${title}: demoted within ${seconds(demoted)}, at most ${seconds(FLOORS.outageDemotedMs)}, at ${Math.min(...incidents.map((one) => one.paymentsPerSecond)).toFixed(1)} payments a second`,
    });
  }
  if (name === "issuer-wide fall") {
    const move = worst(incidents, ({ scoreMovePoints }) => scoreMovePoints);
    floors.push({
      passed: move < FLOORS.issuerMovePoints,
      line: `${title}: moves provider scores by ${move.toFixed(2)} points, less than ${FLOORS.issuerMovePoints}`,
    });
  }
  if (SCENARIO[name].hasRecovery) {
    const back = worst(incidents, ({ backAfterMs }) => backAfterMs);
    floors.push({
      passed: back <= FLOORS.backMs,
      line: `${title}: the traffic is back after ${seconds(back)}, at most ${seconds(FLOORS.backMs)}`,
    });
  }
  return floors;
}

/**
 * The time until the incident shows: half of the provider's traffic goes elsewhere, or one of its levels is not healthy
 * any more. Whichever comes first counts.
 */
export function firstDemotionMs({ stateAfterMs, leftAfterMs }: IncidentFigures): number | null {
  if (stateAfterMs === null || leftAfterMs === null) return stateAfterMs ?? leftAfterMs;
  return Math.min(stateAfterMs, leftAfterMs);
}

/** A figure without a value counts as Infinity. */
export function worst(
  incidents: readonly IncidentFigures[],
  figure: (incident: IncidentFigures) => number | null,
): number {
  return Math.max(...incidents.map((incident) => figure(incident) ?? Infinity));
}

export function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${Math.round(ms / 1000)} s` : "never";
}
