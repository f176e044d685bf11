import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { startEdge } from "./harness/bench-edge.js";
import { startGenerator, type Closer, type Generator } from "./harness/bench-processes.js";
import { servicePostgres } from "./harness/bench-postgres.js";
import {
  emptyDataDir,
  freePort,
  startServiceOn,
  withBenchPolicy,
  type BenchService,
} from "./harness/bench-service.js";
import { besideFloors, CELLS_RATIO_MAX } from "./harness/beside-command.js";
import { measureBeside } from "./harness/beside.js";
import { print, runBench } from "./harness/run-bench.js";

const HELP = `npm run bench:cells -- [--rounds 7] [--seconds 5] [--rate 500]

p99 of cell a's decisions through the edge at a fixed rate (open loop, timed from when each was due), while cell b lives
and after its node and its PostgreSQL were killed, by turns. Clients ask cell b a hundred times a second all the time.
Exits 1 when the death raises p99 by more than 10 %, over all rounds, 2 when the host is not quiet enough to judge. It
needs haproxy and openssl.
`;

const RATE_AT_B = 100;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "5" },
    rate: { type: "string", default: "500" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else {
  await runBench("bench:cells", async (closers) => {
    const [a, b] = [await startCell("a", closers), await startCell("b", closers)];
    const edge = await startEdge(a.service.url, b.service.url, closers);
    const behind = ({ service }: Cell): BenchService => ({ ...service, url: `${edge}/v1/decision` });
    await untilReached(behind(a), 200);
    await untilReached(behind(b), 200);
    askAllTheTime(behind(b), closers);
    const { table, ratio, faults } = await measureBeside(behind(a), startGenerator(closers), {
      rounds: Number(values["rounds"]),
      seconds: Number(values["seconds"]),
      ratePerSecond: Number(values["rate"]),
      async disturb() {
        await b.kill();
        await untilReached(behind(b), 503);
        return {
          async end() {
            await b.start();
            await untilReached(behind(b), 200);
            return 1;
          },
        };
      },
    });
    print(`${table}\n\n"beside it": with cell b dead`);
    return besideFloors(ratio, faults, CELLS_RATIO_MAX);
  });
}

interface Cell {
  service: BenchService;
  /** Sends SIGKILL to the cell's node and PostgreSQL. */
  kill(): Promise<void>;
  /** Starts the cell again, on the same port and data. */
  start(): Promise<void>;
}

async function startCell(name: string, closers: Closer[]): Promise<Cell> {
  const dataDir = await emptyDataDir(closers);
  const env = { CELL: name, PORT: String(await freePort()) };
  const start = () => startServiceOn(dataDir, closers, env);
  const service = await withBenchPolicy(await start(), dataDir);
  let { pid } = service;
  return {
    service,
    async kill() {
      const { postmasterPid } = await servicePostgres(dataDir);
      process.kill(pid, "SIGKILL");
      process.kill(postmasterPid, "SIGKILL");
      // The next start takes the data over only when node and PostgreSQL are both gone.
      while (isAlive(pid) || isAlive(postmasterPid)) await sleep(20);
    },
    async start() {
      ({ pid } = await start());
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Waits until the edge answers the cell's key with `status`. The edge notices a death or a start by its health checks.
 */
async function untilReached({ url, key }: BenchService, status: 200 | 503): Promise<void> {
  const headers = { "x-api-key": key };
  const path = new URL("/v1/provider-health", url);
  while ((await fetch(path, { headers })).status !== status) await sleep(20);
}

/** Sends decisions to cell b until the bench ends, and ignores their answers. */
function askAllTheTime({ url, key }: BenchService, closers: Closer[]): void {
  const generator: Generator = startGenerator(closers);
  const asked = generator.run({ url, key, connections: 8, durationMs: 3_600_000, ratePerSecond: RATE_AT_B });
  // The bench ends the process before its load is over.
  void asked.catch(() => undefined);
}
