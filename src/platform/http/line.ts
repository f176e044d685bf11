import { LIMITS } from "../../domain/vocabulary/limits.js";
import { within } from "../timing/within.js";

export type Work = () => void | Promise<void>;

/**
 * Runs `work` at once or when it may; `full`, and it never runs, where as many wait as may. Of those that wait each `owner`
 * has one after the other: who asks for much keeps nobody else waiting for all of it.
 */
export type Line = (owner: string, work: Work) => "full" | Promise<void>;

/**
 * One after the other, each through to its answer (`LIMITS.turnMsMax` at most), and the front thread is left alone for as
 * long again before the next one.
 */
export function createTurns(waitingMax: number): Line {
  const waiting = new Waiting(waitingMax);
  let isTaken = false;
  const next = (): void => {
    const begin = waiting.next();
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
  return (owner, work) => (isTaken ? waiting.add(owner, () => take(work)) : take(work));
}

/**
 * One after the other until they have worked for `LIMITS.sliceMs`, and the front thread is left alone for as long again
 * before the next ones. What a handler does after it first waited is not counted.
 */
export function createSlices(waitingMax: number): Line {
  const waiting = new Waiting(waitingMax);
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
      const begin = waiting.next();
      if (begin === undefined) return;
      begin();
    }
  };
  return (owner, work) => (isResting ? waiting.add(owner, () => run(work)) : run(work));
}

/** Runs `work` of that weight, or says `full`, as a `Line` does. */
export type WeighedLine = (owner: string, weight: number, work: Work) => "full" | Promise<void>;

/** One after the other, each through to its answer, of what another thread does: the front thread needs no rest from it. */
export function createQueue(weightMax: number): WeighedLine {
  const waiting = new Waiting(weightMax);
  let isTaken = false;
  const next = (): void => {
    const begin = waiting.next();
    if (begin === undefined) isTaken = false;
    else begin();
  };
  const take = (work: Work): Promise<void> => {
    isTaken = true;
    const working = begun(work);
    const handOn = (): void => next();
    working.then(handOn, handOn);
    return working;
  };
  return (owner, weight, work) => (isTaken ? waiting.add(owner, () => take(work), weight) : take(work));
}

interface OwnWaiting {
  weight: number;
  readonly works: { readonly begin: () => void; readonly weight: number }[];
}

/** What waits for its turn; of one owner no more than half of what may. */
class Waiting {
  private weight = 0;
  /** The next owner first; none without any. */
  private readonly byOwner = new Map<string, OwnWaiting>();

  constructor(private readonly max: number) {}

  add(owner: string, begin: () => Promise<void>, weight = 1): "full" | Promise<void> {
    const own = this.byOwner.get(owner) ?? { weight: 0, works: [] };
    if (this.weight + weight > this.max || own.weight + weight > Math.ceil(this.max / 2)) return "full";
    this.weight += weight;
    own.weight += weight;
    this.byOwner.set(owner, own);
    return new Promise((resolve) => {
      own.works.push({ begin: () => resolve(begin()), weight });
    });
  }

  next(): (() => void) | undefined {
    for (const [owner, own] of this.byOwner) {
      // To the end, or away.
      this.byOwner.delete(owner);
      const first = own.works.shift();
      if (first === undefined) continue;
      this.weight -= first.weight;
      own.weight -= first.weight;
      if (own.works.length > 0) this.byOwner.set(owner, own);
      return first.begin;
    }
    return undefined;
  }
}

/** What it throws is a rejection as well, and the caller's to tell. */
async function begun(work: Work): Promise<void> {
  await work();
}
