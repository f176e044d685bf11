import { parseArgs } from "node:util";
import type { FloorResult } from "../bench/harness/floor-result.js";
import { checkFloors, FLOORS } from "./health/floors.js";
import { simulateWeeks, type Week } from "./health/run.js";
import { SCENARIO, SCENARIOS, type ScenarioName } from "./health/scenarios.js";
import { explained, tableHead, tableRow } from "./health/table.js";

/** Twenty million payments a week. */
const BUSY_PER_SECOND = 33.3;
/** On each day the traffic rises to 5 payments a second, at which an outage has its floor. */
const QUIET_PER_SECOND = 5.6;

const HELP = `npm run sim:health -- [--scenario "provider outage"] [--seed 1] [--rate 33.3] [--explain]

A week of simulated payments for each scenario, after a week of learning, on a clock of its own. Without probes: all that
is known of a provider comes from the payments. The truth is known, so the table says how soon a planted incident was
seen, and what was seen without reason. One week of each scenario has more than 20 million payments, and another is quiet.
Exits 1 when a floor is missed.

--scenario   one of: ${SCENARIOS.join(", ")}. Default: all.
--rate       the mean of payments a second. Default: ${BUSY_PER_SECOND}, then ${QUIET_PER_SECOND}.
--explain    one more line for each incident, each false demotion and each false alert.
`;

const { values } = parseArgs({
  options: {
    scenario: { type: "string", multiple: true },
    seed: { type: "string", default: "1" },
    rate: { type: "string" },
    explain: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await run(weeksAsked());

function weeksAsked(): Week[] {
  const names = values.scenario ?? SCENARIOS;
  const unknown = names.find((name) => SCENARIO[name as ScenarioName] === undefined);
  if (unknown !== undefined) throw new RangeError(`no scenario is named ${unknown}`);
  const week = (name: string, meanPerSecond: number): Week => ({
    scenario: name as ScenarioName,
    seed: Number(values.seed),
    meanPerSecond,
    // The time of day is the same at each rate.
    incidentAtPerSecond: (meanPerSecond * FLOORS.outagePaymentsPerSecond) / QUIET_PER_SECOND,
  });
  const rates = values.rate === undefined ? [BUSY_PER_SECOND, QUIET_PER_SECOND] : [Number(values.rate)];
  return rates.flatMap((rate) => names.map((name) => week(name, rate)));
}

async function run(weeks: readonly Week[]): Promise<void> {
  const floors: FloorResult[] = [];
  const beganMs = performance.now();
  let payments = 0;
  print(tableHead());
  for await (const figures of simulateWeeks(weeks)) {
    payments += figures.payments;
    print(tableRow(figures));
    if (values.explain) for (const line of explained(figures)) print(line);
    floors.push(...checkFloors(figures));
  }
  print("");
  for (const { passed, line } of floors) print(`${passed ? "ok  " : "FAIL"}  ${line}`);
  print(`\n${payments} payments in ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
  if (floors.some(({ passed }) => !passed)) {
    print("A floor is missed (exit 1)");
    process.exitCode = 1;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
