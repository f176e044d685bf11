/**
 * Makes a function that calls `run`. Only one run is active at a time, and all calls during a run share the next one.
 * So each caller gets the result of a run that starts after its call.
 */
export function coalesce<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  return () => {
    if (next !== null) return next;
    const before: Promise<unknown> = running ?? Promise.resolve();
    next = before
      .catch(() => undefined)
      .then(() => {
        running = next;
        next = null;
        return run();
      });
    return next;
  };
}
