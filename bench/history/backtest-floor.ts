import type { FloorResult } from "../harness/floor-result.js";

/**
 * The floor applies only to a backtest of this many decisions. A shorter one mostly measures the start of its thread.
 */
export const FLOOR_DECISIONS = 100_000;
/**
 * The promise is "backtest of 100,000 decisions under 10 s" (issue "Policies over HTTP"). Making and storing them took
 * 6.2 s on the host of the promise, so the floor is 1.6 times that.
 */
const TIMES_MAX = 1.6;

/**
 * Both the backtest and the filling decide each decision once and move it through PostgreSQL once, so a slow host slows
 * both.
 */
export function backtestFloor(seconds: number, filledSeconds: number): FloorResult {
  const times = seconds / filledSeconds;
  return {
    passed: times <= TIMES_MAX,
    line: `a backtest of ${FLOOR_DECISIONS} decisions takes ${times.toFixed(2)} times as long as making and storing them, at most ${TIMES_MAX}`,
  };
}
