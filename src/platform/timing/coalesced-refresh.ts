import { coalesce } from "./coalesce.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";

export interface CoalescedRefresh {
  /** A run that starts after this call; callers that come while one waits share it. */
  refresh(): Promise<void>;
  /** `refresh` without waiting, and again each second until one succeeds; the first error goes to `onError`. */
  refreshSoon(): void;
}

/** Runs `copy` one at a time, and once more for all that asked meanwhile: each caller gets what holds after its call. */
export function createCoalescedRefresh(
  copy: () => Promise<void>,
  onError: (error: unknown) => void,
): CoalescedRefresh {
  const refresh = coalesce(copy);
  let retry: NodeJS.Timeout | null = null;

  /** Nobody asks again for what a lost run was to bring: the next notification may be hours away. */
  const untilDone = async (reportError: (error: unknown) => void): Promise<void> => {
    if (retry !== null) clearTimeout(retry);
    retry = null;
    try {
      await refresh();
    } catch (error) {
      reportError(error);
      retry ??= setTimeout(() => void untilDone(() => undefined), LIMITS.refreshRetryMs).unref();
    }
  };

  return { refresh, refreshSoon: () => void untilDone(onError) };
}
