import { firstDemotionMs, perSecondOf, seconds, worst } from "./floors.js";
import type { IncidentFigures } from "./incident-watch.js";
import type { ScenarioFigures } from "./simulate.js";

const WIDTHS = [18, 6, 9, 8, 8, 8, 8, 8, 9, 9, 9, 8, 9, 9, 9, 9] as const;
const HEADINGS = [
  "scenario",
  "a s",
  "payments",
  "demoted",
  "state",
  "left",
  "alert",
  "back",
  "false/wk",
  "alerts/wk",
  "move pts",
  "unrouted",
  "estimate",
  "global",
  "flat",
  "truth",
];

export function tableHead(): string {
  return row(HEADINGS);
}

export function tableRow(figures: ScenarioFigures): string {
  const { name, payments, incidents, falseDemotions, falseAlerts, days, unrouted, loss } = figures;
  const aWeek = (events: readonly unknown[]): string => ((events.length * 7) / days).toFixed(1);
  const of = (figure: (incident: IncidentFigures) => number | null): string =>
    incidents.some((incident) => figure(incident) !== null) ? seconds(worst(incidents, figure)) : "-";
  const moves = incidents.flatMap(({ scoreMovePoints: move }) => (move === null ? [] : [move]));
  return row([
    name,
    perSecondOf(figures),
    String(payments),
    of(firstDemotionMs),
    of(({ stateAfterMs }) => stateAfterMs),
    of(({ leftAfterMs }) => leftAfterMs),
    of(({ alertAfterMs }) => alertAfterMs),
    of(({ backAfterMs }) => backAfterMs),
    aWeek(falseDemotions),
    aWeek(falseAlerts),
    moves.length === 0 ? "-" : Math.max(...moves).toFixed(2),
    String(unrouted),
    loss.estimate.toFixed(5),
    loss.global.toFixed(5),
    loss.flat.toFixed(5),
    loss.truth.toFixed(5),
  ]);
}

/** One line for each incident, each false demotion and each false alert. */
export function explained({ incidents, falseDemotions, falseAlerts }: ScenarioFigures): string[] {
  const time = (atMs: number): string => new Date(atMs).toISOString().slice(5, 19).replace("T", " ");
  const after = (ms: number | null, otherwise: string): string => (ms === null ? otherwise : seconds(ms));
  const points = (move: number | null): string => (move === null ? "" : `, moved ${move.toFixed(2)} points`);
  return [
    ...incidents.map(
      (incident) =>
        `  ${time(incident.fromMs)} ${incident.name}, ${incident.paymentsPerSecond.toFixed(1)}/s: ` +
        `unhealthy ${after(incident.stateAfterMs, "never")}, left ${after(incident.leftAfterMs, "never")}, ` +
        `alert ${after(incident.alertAfterMs, "never")}, ` +
        `back ${after(incident.backAfterMs, `not in ${seconds(incident.lookedMs)}`)}${points(incident.scoreMovePoints)}`,
    ),
    ...falseDemotions.map(({ levelKey, atMs, to }) => `  ${time(atMs)} false: ${levelKey} is ${to}`),
    ...falseAlerts.map(({ kind, levelKey, atMs }) => `  ${time(atMs)} false alert: ${kind} of ${levelKey}`),
  ];
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[at] ?? 0) : cell.padStart(WIDTHS[at] ?? 0)))
    .join(" ");
}
