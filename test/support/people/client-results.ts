import type { DecideResult } from "payinference/client";

const TRIES = 5;

export const isTimeout = (result: DecideResult): boolean =>
  result.ok && result.source === "fallback" && result.problem.kind === "timeout";

/**
 * Resolves to the result of `run`, which makes its own server and client. Runs again when a request timed out, because
 * this process may have stood still for the client's whole timeout.
 */
export async function unlessLate<const T extends { results: readonly DecideResult[] }>(
  run: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const made = await run();
    if (tries === TRIES || !made.results.some(isTimeout)) return made;
  }
}
