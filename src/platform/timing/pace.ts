import { setTimeout as delay } from "node:timers/promises";

/** Spreads background work over time, so that other work on the same cores and servers waits little. */
export interface Pace {
  /** Call it between small steps. Rests in proportion to the time since the last rest. */
  rest(): Promise<void>;
  /** Rests once after a step that disturbs others, however short the step was. */
  restLong(): Promise<void>;
}

export interface PaceOptions {
  /** The share of the time that is work. With 0.25, a rest takes three times as long as the work before it. */
  workShare: number;
  /** The longest rest that follows work. A step may have waited for something else, which is no work. */
  restMsMax: number;
  longRestMs: number;
  /** A monotonic clock in milliseconds. */
  monotonicMs?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
}

/** A timer is not more exact than this, so shorter rests are made up for by a later one. */
const REST_MS_MIN = 1;

/** Work before the first call counts from the creation on, so create it when the work begins. */
export function createPace({
  workShare,
  restMsMax,
  longRestMs,
  monotonicMs = () => performance.now(),
  sleep = delay,
}: PaceOptions): Pace {
  if (!(workShare > 0 && workShare <= 1)) throw new RangeError("workShare must be above 0 and at most 1");
  let beganMs = monotonicMs();
  const restFor = async (ms: number): Promise<void> => {
    await sleep(ms);
    beganMs = monotonicMs();
  };
  return {
    async rest() {
      const restMs = ((monotonicMs() - beganMs) * (1 - workShare)) / workShare;
      if (restMs >= REST_MS_MIN) await restFor(Math.min(restMsMax, restMs));
    },
    restLong: () => restFor(longRestMs),
  };
}

/** Work that somebody waits for does not rest. */
export const NO_REST: Pace = { rest: async () => undefined, restLong: async () => undefined };
