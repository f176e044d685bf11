import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { createRandom } from "../../bench/client/random.js";
import { SCENARIO, type ScenarioName } from "./scenarios.js";
import { weekOf } from "./schedule.js";
import { simulate, type ScenarioFigures } from "./simulate.js";
import { createWorld } from "./world.js";

/** A simulated week. */
export interface Week {
  readonly scenario: ScenarioName;
  readonly seed: number;
  /** The mean of payments a second, over a day. */
  readonly meanPerSecond: number;
  /** Each incident begins when the traffic of its day rises to so many payments a second. */
  readonly incidentAtPerSecond: number;
}

/** Simulates weeks, two at a time. Yields their figures in the order of the weeks. */
export async function* simulateWeeks(weeks: readonly Week[]): AsyncGenerator<ScenarioFigures> {
  const underway: Promise<ScenarioFigures>[] = [];
  for (const [index] of weeks.entries()) {
    // The next week begins beside the one that is waited for.
    while (underway.length < Math.min(index + 2, weeks.length))
      underway.push(simulateApart(weeks[underway.length] as Week));
    yield await (underway[index] as Promise<ScenarioFigures>);
  }
}

/** Simulates a week in a thread of its own. */
function simulateApart(week: Week): Promise<ScenarioFigures> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: week });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

if (!isMainThread) {
  const { scenario: name, seed, meanPerSecond, incidentAtPerSecond } = workerData as Week;
  const scenario = SCENARIO[name];
  const schedule = weekOf(scenario, createWorld(createRandom(seed)), meanPerSecond, incidentAtPerSecond);
  parentPort?.postMessage(simulate({ scenario, seed, meanPerSecond, ...schedule }));
}
