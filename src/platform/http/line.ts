import { TUNING } from "../../domain/vocabulary/tuning.js";
import { WaitingLine } from "../timing/waiting-line.js";
import { within } from "../timing/within.js";

export type Work = () => void | Promise<void>;

/**
 * Runs `work` at once, or when a `WaitingLine` gives its owner a turn. Calls `refuse` if the line has no place for the
 * work, or gives the work's place to another owner. Resolves when `work` has ended or `refuse` was called.
 */
export type Line = (owner: string, work: Work, refuse: () => void) => Promise<void>;

/**
 * Runs tasks in sequence. The line waits for the answer of a task, but at most for `TUNING.turnMsMax`. The front thread
 * then rests for as long as the line has waited, and the next task begins.
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
      setTimeout(next, Math.min(performance.now() - startedMs, TUNING.turnMsMax));
    };
    const working = runAsync(work);
    within(working, TUNING.turnMsMax, undefined).then(rest, rest);
    return working;
  };
  return (owner, work, refuse) => (isBusy ? turnIn(waiting, owner, () => take(work), refuse) : take(work));
}

/**
 * Runs tasks in sequence until they have used `TUNING.sliceMs` together. The front thread then rests for the time that
 * they have used. Of each task, only the time until it first waits is counted.
 */
export function createSlices(waitingMax: number): Line {
  const waiting = new WaitingLine({ max: waitingMax });
  let workedMs = 0;
  let isResting = false;
  const run = (work: Work): Promise<void> => {
    const startedMs = performance.now();
    const working = runAsync(work);
    workedMs += performance.now() - startedMs;
    if (workedMs >= TUNING.sliceMs) {
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

/** A `Line` for work that has a weight. */
export type WeighedLine = (owner: string, weight: number, work: Work, refuse: () => void) => Promise<void>;

/** Runs tasks in sequence, each until its answer. Another thread does their work, so the front thread needs no rest. */
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

/** Resolves when the work has ended or was refused. */
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

/** Turns an error that `work` throws into a rejection. */
async function runAsync(work: Work): Promise<void> {
  await work();
}
