import { parseArgs } from "node:util";
import type { FloorResult } from "../bench/harness/floor-result.js";
import { createRandom } from "../bench/client/random.js";
import { checkFloors, FLOORS } from "./health/floors.js";
import { SCENARIO, SCENARIOS, type ScenarioName } from "./health/scenarios.js";
import { weekOf } from "./health/schedule.js";
import { simulate } from "./health/simulate.js";
import { explained, tableHead, tableRow } from "./health/table.js";
import { createWorld } from "./health/world.js";

const HELP = `npm run sim:health -- [--scenario "provider outage"] [--seed 1] [--rate 5.6] [--explain]

A week of simulated payments for each scenario, after a week of learning, on a clock of its own. Without probes: all that
is known of a provider comes from the payments. The truth is known, so the table says how soon a planted incident was
seen, and what was seen without reason. All scenarios together are more than 20 million payments. Exits 1 when a floor is
missed.

--scenario   one of: ${SCENARIOS.join(", ")}. Default: all.
--rate       the mean of payments a second.
--explain    one more line for each incident, each false demotion and each false alert.
`;

const { values } = parseArgs({
  options: {
    scenario: { type: "string", multiple: true },
    seed: { type: "string", default: "1" },
    rate: { type: "string", default: "5.6" },
    explain: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else run(values.scenario ?? SCENARIOS);

function run(names: readonly string[]): void {
  const floors: FloorResult[] = [];
  const beganMs = performance.now();
  const seed = Number(values.seed);
  const meanPerSecond = Number(values.rate);
  const world = createWorld(createRandom(seed));
  let payments = 0;
  print(tableHead());
  for (const name of names) {
    const scenario = SCENARIO[name as ScenarioName];
    if (scenario === undefined) throw new RangeError(`no scenario is named ${name}`);
    const schedule = weekOf(scenario, world, meanPerSecond, FLOORS.outagePaymentsPerSecond);
    const figures = simulate({ scenario, seed, meanPerSecond, ...schedule });
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
