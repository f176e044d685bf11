export interface Refresh {
  /** Copies the state as of now; resolves when the copy holds it. */
  refresh(): Promise<void>;
  /** `refresh` without waiting; errors go to `onError`. Calls during a refresh cause one more after it. */
  refreshSoon(): void;
}

/** One `copy` at a time; a call's copy starts after the call, and callers that come while one waits share it. */
export function createRefresh(copy: () => Promise<void>, onError: (error: unknown) => void): Refresh {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  const refresh = (): Promise<void> => {
    if (next !== null) return next;
    const before = running ?? Promise.resolve();
    next = before
      .catch(() => undefined)
      .then(() => {
        running = next;
        next = null;
        return copy();
      });
    return next;
  };

  return { refresh, refreshSoon: () => void refresh().catch(onError) };
}
