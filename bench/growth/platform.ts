import { CONNECTIONS, settle } from "../harness/bench-rounds.js";
import type { Generator } from "../harness/bench-processes.js";
import { processCpuMs } from "../harness/cpu-time.js";
import type { GrownService } from "./grown-service.js";
import { grownKey } from "./grown-tenants.js";
import { privateMebibytes } from "./private-memory.js";

/** Decisions over the first merchants of one workspace. Each list has one value for each round. */
export interface OverMerchants {
  merchants: number;
  requestsPerSecond: number[];
  p99Ms: number[];
  serverCpuMicros: number[];
}

export interface PlatformFigures {
  /** The rows for one merchant, many and all, in that order. */
  rows: OverMerchants[];
  /** The memory after all rounds. */
  usedMebibytes: number;
}

/** Each turn is warmed up before it counts, because the previous turn has filled the caches. */
const WARM_UP_MS = 1_000;
const ROUND_MS = 2_000;
const SEED = 29_100;

/** Runs the closed loop over each number of merchants, by turns. */
export async function measurePlatform(
  service: GrownService,
  generator: Generator,
  sizes: readonly number[],
  rounds: number,
): Promise<PlatformFigures> {
  const rows = sizes.map((merchants): OverMerchants => ({
    merchants,
    requestsPerSecond: [],
    p99Ms: [],
    serverCpuMicros: [],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
      const position = rows.indexOf(row);
      const plan = {
        spread: {
          seed: SEED + position,
          keys: [grownKey(0)],
          merchantsEach: row.merchants,
          order: "random" as const,
        },
        connections: CONNECTIONS,
      };
      await settle();
      await service.load(generator, { ...plan, durationMs: WARM_UP_MS });
      const cpuMs = processCpuMs(service.pid());
      const { statuses, elapsedMs, latency } = await service.load(generator, {
        ...plan,
        durationMs: ROUND_MS,
      });
      const decided = statuses[200] ?? 0;
      row.requestsPerSecond.push(decided / (elapsedMs / 1000));
      row.p99Ms.push(latency.percentileMs(99));
      row.serverCpuMicros.push(((processCpuMs(service.pid()) - cpuMs) * 1000) / decided);
    }
  }
  return { rows, usedMebibytes: await privateMebibytes(service.pid()) };
}
