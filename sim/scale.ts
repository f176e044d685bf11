import { parseArgs } from "node:util";
import { costOfMillion } from "./scale/cost.js";
import { INPUTS, SCALE } from "./scale/inputs.js";
import { scaleFloors, scaleRow, scaleTable } from "./scale/report.js";

const HELP = `npm run sim:scale -- [--seed 1] [--seconds 2]

Cells of ten nodes with one PostgreSQL each, from 40 to 400 nodes. Workspaces have shares of the traffic as in Zipf's law.
The table says how much hotter than the mean the hottest cell is, before and after workspaces are moved and divided; what
a decision waits there for a core; and how an hour without PostgreSQL ends. docs/scale.md explains it. Exits 1 when a floor
is missed.

--seconds   of simulated traffic in each row's hottest cell.
`;

const NODES = [40, 100, 200, 400];
const EXPONENTS = [0.8, 1, 1.2];

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "2" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) print(HELP);
else run();

function run(): void {
  const beganMs = performance.now();
  for (const [name, { value, unit, source, from }] of Object.entries(INPUTS))
    print(`${source}  ${name} = ${value} ${unit} (${from})`);
  print("");
  const rows = NODES.flatMap((nodes) =>
    EXPONENTS.map((exponent) =>
      scaleRow(SCALE, { nodes, exponent, seed: Number(values.seed), waitSeconds: Number(values.seconds) }),
    ),
  );
  for (const line of scaleTable(rows)) print(line);
  const { nodes, postgres, storage } = costOfMillion(SCALE);
  const sum = nodes + postgres + storage;
  print(
    `\nA million decisions cost ${sum.toFixed(3)} USD: ${nodes.toFixed(3)} nodes, ${postgres.toFixed(3)} PostgreSQL, ${storage.toFixed(3)} storage\n`,
  );
  const floors = scaleFloors(rows);
  for (const { passed, line } of floors) print(`${passed ? "ok  " : "FAIL"}  ${line}`);
  print(`\n${((performance.now() - beganMs) / 1000).toFixed(0)} s in all`);
  if (floors.some(({ passed }) => !passed)) {
    print("A floor is missed (exit 1)");
    process.exitCode = 1;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
