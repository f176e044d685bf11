import { LIMITS } from "../../domain/vocabulary/limits.js";
import { WaitingLine } from "../timing/waiting-line.js";
import { within } from "../timing/within.js";

export type Work = () => void | Promise<void>;

/**
 * Runs `work` at once or in its turn, as a `WaitingLine` gives turns to owners. Calls `refuse` instead where it has no
 * place, or lost it to another. Resolves after either.
 */
export type Line = (owner: string, work: Work, refuse: () => void) => Promise<void>;

/**
 * One after the other, each through to its answer (`LIMITS.turnMsMax` at most), and the front thread is left alone for as
 * long again before the next one.
 */
export function createTurns(waitingMax: number): Line {
  const waiting = new WaitingLine({ max: waitingMax });
  let isBusy = false;
  const next = (): void => {
    const place = waiting.next();
    if (place === undefined) isBusy = false;
    else place.begin();
  };
  const take = (work: Work): Promise<void> => {
    isBusy = true;
    const startedMs = performance.now();
    const rest = (): void => {
      setTimeout(next, Math.min(performance.now() - startedMs, LIMITS.turnMsMax));
    };
    const working = runAsync(work);
    within(working, LIMITS.turnMsMax, undefined).then(rest, rest);
    return working;
  };
  return (owner, work, refuse) => (isBusy ? turnIn(waiting, owner, () => take(work), refuse) : take(work));
}

/**
 * One after the other until they have worked for `LIMITS.sliceMs`, and the front thread is left alone for as long again
 * before the next ones. What a handler does after it first waited is not counted.
 */
export function createSlices(waitingMax: number): Line {
  const waiting = new WaitingLine({ max: waitingMax });
  let workedMs = 0;
  let isResting = false;
  const run = (work: Work): Promise<void> => {
    const startedMs = performance.now();
    const working = runAsync(work);
    workedMs += performance.now() - startedMs;
    if (workedMs >= LIMITS.sliceMs) {
      isResting = true;
      setTimeout(resume, workedMs);
    }
    return working;
  };
  const resume = (): void => {
    isResting = false;
    workedMs = 0;
    while (!isResting) {
      const place = waiting.next();
      if (place === undefined) return;
      place.begin();
    }
  };
  return (owner, work, refuse) => (isResting ? turnIn(waiting, owner, () => run(work), refuse) : run(work));
}

/** The same for work of that weight. */
export type WeighedLine = (owner: string, weight: number, work: Work, refuse: () => void) => Promise<void>;

/** One after the other, each through to its answer, of what another thread does: the front thread needs no rest from it. */
export function createQueue(weightMax: number): WeighedLine {
  const waiting = new WaitingLine({ max: weightMax });
  let isBusy = false;
  const next = (): void => {
    const place = waiting.next();
    if (place === undefined) isBusy = false;
    else place.begin();
  };
  const take = (work: Work): Promise<void> => {
    isBusy = true;
    const working = runAsync(work);
    const handOn = (): void => next();
    working.then(handOn, handOn);
    return working;
  };
  return (owner, weight, work, refuse) =>
    isBusy ? turnIn(waiting, owner, () => take(work), refuse, weight) : take(work);
}

/** Waits for its turn, and through it. */
function turnIn(
  line: WaitingLine,
  owner: string,
  begin: () => Promise<void>,
  refuse: () => void,
  weight = 1,
): Promise<void> {
  return new Promise((resolve) => {
    const place = {
      begin: () => resolve(begin()),
      refuse() {
        refuse();
        resolve();
      },
    };
    line.add(owner, place, weight);
  });
}

/** What it throws is a rejection as well, and the caller's to tell. */
async function runAsync(work: Work): Promise<void> {
  await work();
}
