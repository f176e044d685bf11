import { parseArgs } from "node:util";
import { startGenerator } from "./bench-processes.js";
import { startService, type BenchService } from "./bench-service.js";
import { measureBeside, type BesideFigures, type BesidePlan } from "./beside.js";
import { faultFloors, type FloorResult } from "./floor-result.js";
import { print, runBench } from "./run-bench.js";

export interface BesideCommand {
  /** The name of the npm script. */
  name: string;
  help: string;
  /**
   * The plural name of the disturbance. The option that sets the number has this name too, and `count` is its default.
   */
  disturbers: string;
  count: number;
  /** Settings for the service. */
  env?: NodeJS.ProcessEnv;
  disturb(service: BenchService, count: number): ReturnType<BesidePlan["disturb"]>;
}

/** The most that a disturbance may raise p99, as a multiple: the issues' "not more than 20 %". */
const RATIO_MAX = 1.2;
/** CELL-6: the most that the death of a cell may raise the p99 of another. */
export const CELLS_RATIO_MAX = 1.1;

/** Measures decisions alone and beside a disturbance, prints both, and judges the ratio of their p99. */
export async function runBesideCommand({
  name,
  help,
  disturbers,
  count,
  env,
  disturb,
}: BesideCommand): Promise<void> {
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
    return;
  }
  await runBench(name, async (closers) => {
    const service = await startService(closers, env);
    const { table, ratio, disturbancesPerSecond, faults } = await measureBeside(
      service,
      startGenerator(closers),
      {
        rounds: Number(values["rounds"]),
        seconds: Number(values["seconds"]),
        ratePerSecond: Number(values["rate"]),
        disturb: () => disturb(service, Number(values[disturbers])),
      },
    );
    print(`${table}\n\n${disturbancesPerSecond.toFixed(0)} ${disturbers} a second answered`);
    return besideFloors(ratio, faults);
  });
}

export function besideFloors(
  ratio: number,
  faults: BesideFigures["faults"],
  ratioMax: number = RATIO_MAX,
): FloorResult[] {
  return [
    {
      passed: ratio <= ratioMax,
      line: `p99 beside them is ${ratio.toFixed(2)} times that without, at most ${ratioMax}`,
    },
    ...faultFloors("decisions:", faults),
  ];
}
