import { askProcess, type Closer } from "../harness/bench-processes.js";
import { median } from "../harness/bench-rounds.js";
import type { PricedEngineFigure } from "./priced-engine.js";

const PROCESSES = 5;

/**
 * Measures in several processes, one after the other. V8's compilation and the layout of the prices in memory are fixed
 * for a process. They move the ratio by up to 0.03, even if a process repeats the measurement often. Earlier work in a
 * process moves it too.
 */
export async function measurePricedEngineApart(closers: Closer[]): Promise<PricedEngineFigure> {
  const figures: PricedEngineFigure[] = [];
  for (let process = 0; process < PROCESSES; process++) {
    figures.push((await askProcess("engine/priced-engine-process.js", closers)) as PricedEngineFigure);
  }
  const middle = (of: (figure: PricedEngineFigure) => number): number => median(figures.map(of));
  return {
    rules: middle(({ rules }) => rules),
    v1Us: middle(({ v1Us }) => v1Us),
    v2Us: middle(({ v2Us }) => v2Us),
    ratio: middle(({ ratio }) => ratio),
  };
}
