import { coalesce } from "./coalesce.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface CoalescedRefresh {
  /** Resolves after a run that starts after this call. All calls during a run share the next run. */
  refresh(): Promise<void>;
  /**
   * Refreshes in the background, and tries again a second after each failure. `onError` is called only for the first
   * failure.
   */
  refreshSoon(): void;
}

/** Runs `copy`, never twice at the same time. `refreshSoon` repeats it after a failure. */
export function createCoalescedRefresh(
  copy: () => Promise<void>,
  onError: (error: unknown) => void,
): CoalescedRefresh {
  const refresh = coalesce(copy);
  let retry: NodeJS.Timeout | null = null;

  /** Repeats a failed run, because the next notification may be hours away. */
  const untilDone = async (reportError: (error: unknown) => void): Promise<void> => {
    if (retry !== null) clearTimeout(retry);
    retry = null;
    try {
      await refresh();
    } catch (error) {
      reportError(error);
      retry ??= setTimeout(() => void untilDone(() => undefined), TUNING.refreshRetryMs).unref();
    }
  };

  return { refresh, refreshSoon: () => void untilDone(onError) };
}
