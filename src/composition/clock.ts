import type { Logger } from "../platform/telemetry/logger.js";
import { lookAtClock, type ClockChange } from "../platform/timing/clock.js";
import type { Closers } from "./closers.js";

const LOOK_INTERVAL_MS = 1000;

/** Watches the host's clock for all threads of the process, and logs jumps. */
export function composeClock(log: Logger, closers: Closers): void {
  const timer = setInterval(() => {
    const change = lookAtClock();
    if (change !== null) logChange(log, change);
  }, LOOK_INTERVAL_MS).unref();
  closers.push(() => clearInterval(timer));
}

function logChange(log: Logger, change: ClockChange): void {
  switch (change.kind) {
    case "jumped":
      return log.error(
        { by_seconds: change.byMs / 1000 },
        "the host's clock jumped: time goes on without it until it has stood for 60 s",
      );
    case "followed":
      return log.warn(
        { by_seconds: change.byMs / 1000 },
        "the host's clock has stood, and is followed again",
      );
    case "returned":
      return log.warn("the host's clock is back where it was");
  }
}
