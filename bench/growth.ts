import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { faultFloors, type FloorResult } from "./harness/floor-result.js";
import { startGenerator, type Closer, type Generator } from "./harness/bench-processes.js";
import { print, runBench } from "./harness/run-bench.js";
import { startCluster, type Cluster, type GrownDatabase } from "./growth/grown-database.js";
import { POLICY_KINDS, type PolicyKind } from "./growth/grown-policies.js";
import { createGrownService } from "./growth/grown-service.js";
import { besideFloors, publishFloor, restartFloors, throughputFloors } from "./growth/growth-floors.js";
import { besideTable, fillTable, grownLine, platformTable, tenancyTable } from "./growth/growth-tables.js";
import { measurePlatform } from "./growth/platform.js";
import { measureBesidePublishes, measurePublishes } from "./growth/publishes.js";
import { measureFill, measureRestarts, type FillFigure } from "./growth/restarts.js";
import { SIDES, type Sides } from "./growth/sides.js";
import { SPREAD_MERCHANTS_MAX } from "./client/spread-source.js";

/**
 * The parts that can be measured alone: many tenants compared with few, and many merchants with each kind of policies.
 */
const PARTS = ["tenancy", ...POLICY_KINDS] as const;

/**
 * Measures the cost of many tenants and many merchants, compared with few. The bench has its own PostgreSQL, and fills
 * its databases with SQL. `small` has few workspaces, and `large` has many. Both exist at the same time. Then, for each
 * kind of policies, `platform` is one workspace with all merchants. It is dropped before the next one. Throughput over
 * one merchant and over many is measured on the platform's first merchants, with the same service, by turns.
 *
 * Throughput is measured without journal and PostgreSQL, as in row (c) of `npm run bench`. It shows the cost of a
 * decision whose policy is one of a million. The time that PostgreSQL takes to count a million merchants is another
 * subject. Restarts, publishes, latencies and memory are measured with the complete service.
 */
const HELP = `npm run bench:growth -- [--workspaces=100000] [--merchants=1000000] [--rounds=5]
                       [--parts=${PARTS.join(",")}]

Grows databases of its own and compares, by turns: so many workspaces of 10 merchants with 200 of 5, and decisions over
so many merchants of one workspace with those over one of them. Each merchant has a live policy of ten rules. Exits 1 under
the floors of BENCHMARKS.md, which are those of the full size, 2 when the host is not quiet enough to judge them, and
64 for other options. It needs up to 15 GB in the temporary directory.
A quick run: --workspaces=1000 --merchants=20000 --rounds=1
`;

const SMALL = { workspaces: 200, merchantsEach: 5 };
const FULL = { workspaces: 100_000, merchants: 1_000_000, rounds: 5 };
const LARGE_MERCHANTS_EACH = 10;
/** The merchants of a platform at full size. A smaller platform uses the same share of its merchants. */
const MANY_MERCHANTS = 50_000;

/** The exit status for wrong arguments. No other outcome has it: status 2 says that the host was not quiet. */
const USAGE_STATUS = 64;

const { values } = parseArgs({
  options: {
    workspaces: { type: "string", default: String(FULL.workspaces) },
    merchants: { type: "string", default: String(FULL.merchants) },
    rounds: { type: "string", default: String(FULL.rounds) },
    parts: { type: "string", default: PARTS.join(",") },
    help: { type: "boolean", default: false },
  },
});

const size = {
  workspaces: Number(values.workspaces),
  merchants: Number(values.merchants),
  rounds: Number(values.rounds),
};
const parts = values.parts.split(",");
const isUsable =
  parts.every((part) => (PARTS as readonly string[]).includes(part)) &&
  Object.values(size).every((number) => Number.isSafeInteger(number) && number > 0) &&
  size.workspaces >= SMALL.workspaces &&
  size.merchants <= SPREAD_MERCHANTS_MAX;
if (values.help || !isUsable) {
  process.stdout.write(HELP);
  process.exitCode = values.help ? 0 : USAGE_STATUS;
} else await runBench("bench:growth", measure);

async function measure(closers: Closer[]): Promise<FloorResult[]> {
  print(`${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, Node ${process.version}\n`);
  const isFull = size.workspaces >= FULL.workspaces && size.merchants >= FULL.merchants;
  if (!isFull)
    print("A reduced size: the floors are those of the full one, and meeting them here proves little.\n");

  const cluster = await startCluster(closers);
  const setting: Setting = { cluster, generator: startGenerator(closers), closers };
  const floors: FloorResult[] = [];
  if (parts.includes("tenancy")) floors.push(...(await compareTenancies(setting)));
  for (const kind of POLICY_KINDS)
    if (parts.includes(kind)) floors.push(...(await measureKind(kind, setting)));
  return floors;
}

interface Setting {
  cluster: Cluster;
  generator: Generator;
  closers: Closer[];
}

/** Compares few workspaces with many: filling, restarts, memory, publishes, and their effect on other tenants. */
async function compareTenancies({ cluster, generator, closers }: Setting): Promise<FloorResult[]> {
  const policies = "template";
  const databases: Sides<GrownDatabase> = {
    small: await grown(cluster, "small", { ...SMALL, policies }),
    large: await grown(cluster, "large", {
      workspaces: size.workspaces,
      merchantsEach: LARGE_MERCHANTS_EACH,
      policies,
    }),
  };
  const services = {
    small: createGrownService(databases.small, closers),
    large: createGrownService(databases.large, closers),
  };
  const fills: Sides<FillFigure> = {
    small: await measureFill(services.small),
    large: await measureFill(services.large),
  };
  print(`\nA first start, on an empty replica:\n\n${fillTable(fills)}`);
  const restarts = await measureRestarts(services, generator, size.rounds);
  const publishes = await measurePublishes(services, size.rounds);
  print(`\nStarts on a full replica, and publishes:\n\n${tenancyTable(restarts, publishes)}`);
  const besides = await measureBesidePublishes(services, generator, size.rounds);
  print(`\nDecisions of other tenants, 200 a second, open loop:\n\n${besideTable(besides)}`);
  for (const side of SIDES) {
    await services[side].stop();
    await databases[side].drop();
  }
  return [
    ...restartFloors(restarts),
    publishFloor(publishes),
    ...besideFloors(besides),
    ...SIDES.flatMap((side) => faultFloors(`${side}:`, [Object.fromEntries(services[side].faults)])),
  ];
}

/** Measures one workspace with many merchants. */
async function measureKind(
  policies: PolicyKind,
  { cluster, generator, closers }: Setting,
): Promise<FloorResult[]> {
  const { merchants, rounds } = size;
  const database = await grown(cluster, "platform", { workspaces: 1, merchantsEach: merchants, policies });
  const service = createGrownService(database, closers, { PAYINFERENCE_BENCH_NO_PERSISTENCE: "1" });
  const fill = await measureFill(service);
  const many = Math.min(MANY_MERCHANTS, Math.ceil((merchants * MANY_MERCHANTS) / FULL.merchants));
  const figures = await measurePlatform(service, generator, [1, many, merchants], rounds);
  await service.stop();
  await database.drop();
  print(
    `\nOne workspace, policies "${policies}", closed loop, nothing stored:\n\n${platformTable(figures, fill)}`,
  );
  return [
    ...throughputFloors(policies, figures.rows),
    ...faultFloors(`platform (${policies}):`, [Object.fromEntries(service.faults)]),
  ];
}

async function grown(
  cluster: Cluster,
  name: string,
  tenants: GrownDatabase["tenants"],
): Promise<GrownDatabase> {
  const database = await cluster.grow(name, tenants);
  print(grownLine(name, database));
  return database;
}
