import { parseArgs } from "node:util";
import { closeAll, startGenerator, type Closer } from "./bench-processes.js";
import { startService, type BenchService } from "./bench-service.js";
import { measureBeside, type BesidePlan } from "./beside.js";

export interface BesideCommand {
  /** Of the npm script. */
  name: string;
  help: string;
  /** What disturbs, in the plural; also the option that says how many, beside its default. */
  disturbers: string;
  count: number;
  /** Settings of the service. */
  env?: NodeJS.ProcessEnv;
  disturb(service: BenchService, count: number): ReturnType<BesidePlan["disturb"]>;
}

/** What a disturbance may do to p99, as a multiple of its value alone: the issues' "not more than 20 %". */
const RATIO_MAX = 1.2;

/** Measures decisions alone and beside something, prints both, and sets the exit code by the ratio of their p99. */
export async function runBesideCommand(command: BesideCommand): Promise<void> {
  const closers: Closer[] = [];
  try {
    process.exitCode = await measure(command, closers);
  } catch (error) {
    process.stderr.write(`${command.name}: ${(error as Error).message}\n`);
    process.exitCode = 1;
  } finally {
    await closeAll(closers);
  }
}

async function measure(
  { help, disturbers, count, env, disturb }: BesideCommand,
  closers: Closer[],
): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "7" },
      seconds: { type: "string", default: "5" },
      rate: { type: "string", default: "500" },
      [disturbers]: { type: "string", default: String(count) },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const service = await startService(closers, env);
  const { table, ratio, disturbancesPerSecond } = await measureBeside(service, startGenerator(closers), {
    rounds: Number(values["rounds"]),
    seconds: Number(values["seconds"]),
    ratePerSecond: Number(values["rate"]),
    disturb: () => disturb(service, Number(values[disturbers])),
  });
  const isKept = ratio <= RATIO_MAX;
  process.stdout.write(
    `${table}\n\n${disturbancesPerSecond.toFixed(0)} ${disturbers} a second answered\n` +
      `${isKept ? "ok  " : "FAIL"}  p99 beside them is ${ratio.toFixed(2)} times that without, at most ${RATIO_MAX}\n`,
  );
  return isKept ? 0 : 1;
}
