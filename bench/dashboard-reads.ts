import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startGenerator, stopped, type Closer } from "./bench-processes.js";
import { startService, type BenchService } from "./bench-service.js";
import { measureBeside } from "./beside.js";
import type { ReadsJob } from "./dashboard-reader.js";

const HELP = `npm run bench:dashboard-reads -- [--rounds 7] [--seconds 5] [--rate 500] [--reads 50]

p99 of decisions at a fixed rate (open loop, timed from when each was due) alone and while a dashboard asks for so many
pages a second, by turns: first pages, the review queue, aggregates, the shadow report, a decision. Fails when the reads
raise it by more than 20 %, in the median of the rounds.
`;

/** issue "Outcomes, decision log …": "Decision p99 while a dashboard reads at 50 requests/s: within 20 % of its value alone". */
const RATIO_MAX = 1.2;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "5" },
    rate: { type: "string", default: "500" },
    reads: { type: "string", default: "50" },
    help: { type: "boolean", default: false },
  },
});

const closers: Closer[] = [];
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`bench:dashboard-reads: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  for (const close of closers.toReversed()) await close();
}

async function main(): Promise<number> {
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const service = await startService(closers);
  const { table, ratio, disturbancesPerSecond } = await measureBeside(service, startGenerator(closers), {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    ratePerSecond: Number(values.rate),
    disturb: () => startReading(service, Number(values.reads)),
  });
  const verdict = ratio <= RATIO_MAX ? "ok  " : "FAIL";
  process.stdout.write(
    `${table}\n\n${disturbancesPerSecond.toFixed(0)} reads a second answered\n` +
      `${verdict}  p99 beside the reads is ${ratio.toFixed(2)} times that without, at most ${RATIO_MAX}\n`,
  );
  return ratio <= RATIO_MAX ? 0 : 1;
}

/** In a process of its own: what reading costs a client is not the service's. */
async function startReading(
  service: BenchService,
  readsPerSecond: number,
): Promise<{ end(): Promise<number> }> {
  const child = fork(fileURLToPath(new URL("dashboard-reader.js", import.meta.url)));
  child.send({ url: new URL(service.url).origin, key: service.key, readsPerSecond } satisfies ReadsJob);
  const [began] = (await once(child, "message")) as ["began"];
  if (began !== "began") throw new Error("the reader did not begin");
  return {
    async end() {
      child.send("end");
      const [answered] = (await once(child, "message")) as [number];
      child.disconnect();
      await stopped(child);
      return answered;
    },
  };
}
