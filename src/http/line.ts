import { LIMITS } from "../shared/limits.js";
import { within } from "../shared/within.js";

export type Work = () => void | Promise<void>;

/** Runs `work` at once or when it may; `full`, and it never runs, where as many wait as may. */
export type Line = (work: Work) => "full" | Promise<void>;

/**
 * One after the other, each through to its answer (`LIMITS.turnMsMax` at most), and the front thread is left alone for as
 * long again before the next one.
 */
export function createTurns(waitingMax: number): Line {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const next = (): void => {
    const begin = waiting.shift();
    if (begin === undefined) isTaken = false;
    else begin();
  };
  const take = (work: Work): Promise<void> => {
    isTaken = true;
    const startedMs = performance.now();
    const rest = (): void => {
      setTimeout(next, Math.min(performance.now() - startedMs, LIMITS.turnMsMax));
    };
    const working = begun(work);
    within(working, LIMITS.turnMsMax, undefined).then(rest, rest);
    return working;
  };
  return (work) => {
    if (!isTaken) return take(work);
    if (waiting.length >= waitingMax) return "full";
    return new Promise((resolve) => {
      waiting.push(() => resolve(take(work)));
    });
  };
}

/**
 * One after the other until they have worked for `LIMITS.sliceMs`, and the front thread is left alone for as long again
 * before the next ones. What a handler does after it first waited is not counted.
 */
export function createSlices(waitingMax: number): Line {
  const waiting: (() => void)[] = [];
  let workedMs = 0;
  let isResting = false;
  const run = (work: Work): Promise<void> => {
    const startedMs = performance.now();
    const working = begun(work);
    workedMs += performance.now() - startedMs;
    if (workedMs >= LIMITS.sliceMs) {
      isResting = true;
      setTimeout(goOn, workedMs);
    }
    return working;
  };
  const goOn = (): void => {
    isResting = false;
    workedMs = 0;
    while (!isResting) {
      const next = waiting.shift();
      if (next === undefined) return;
      next();
    }
  };
  return (work) => {
    if (!isResting) return run(work);
    if (waiting.length >= waitingMax) return "full";
    return new Promise((resolve) => {
      waiting.push(() => resolve(run(work)));
    });
  };
}

/** What it throws is a rejection as well, and the caller's to tell. */
async function begun(work: Work): Promise<void> {
  await work();
}
