import { coalesce } from "../shared/coalesce.js";

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
  const refresh = coalesce(copy);
  return { refresh, refreshSoon: () => void refresh().catch(onError) };
}
