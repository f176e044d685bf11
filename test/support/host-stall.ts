import { after } from "node:test";

/** How long the host let this process wait: on a machine shared by others the answer to many a missed time limit. */
export interface StallMeter {
  /** The longest wait so far beyond what a timer asked for; stops the meter. */
  stop(): number;
}

const TICK_MS = 20;
/** Beyond it time limits of a second or two say nothing about the service. */
const STALL_MS_MAX = 200;

export const isStarved = (stallMs: number): boolean => stallMs > STALL_MS_MAX;

const timers = new Set<NodeJS.Timeout>();
after(() => timers.forEach((timer) => clearInterval(timer)));

export function startStallMeter(): StallMeter {
  let lastMs = performance.now();
  let stallMs = 0;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    stallMs = Math.max(stallMs, nowMs - lastMs - TICK_MS);
    lastMs = nowMs;
  }, TICK_MS);
  timers.add(timer);
  return {
    stop() {
      clearInterval(timer);
      return stallMs;
    },
  };
}
