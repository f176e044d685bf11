export interface CoalescedRefresh {
  /** A run that starts after this call; callers that come while one waits share it. */
  refresh(): Promise<void>;
  /** `refresh` without waiting; errors go to `onError`. */
  refreshSoon(): void;
}

/** Runs `copy` one at a time, and once more for all that asked meanwhile: each caller gets what holds after its call. */
export function createCoalescedRefresh(
  copy: () => Promise<void>,
  onError: (error: unknown) => void,
): CoalescedRefresh {
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
