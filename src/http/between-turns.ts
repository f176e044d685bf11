import { setImmediate as nextTurn } from "node:timers/promises";

/** Runs steps to their result, one per turn of the event loop, so that no other request waits for more than one. */
export async function betweenTurns<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
