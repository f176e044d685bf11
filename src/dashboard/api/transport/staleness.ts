import { notifyManager, useQueryClient, type QueryCache } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { statusOf } from "./problem.js";

/** Something is shown that was asked for again in vain. */
export interface Staleness {
  /** The service gave no answer at all; otherwise it answered, but not what is shown. */
  isOutage: boolean;
  /** Unix milliseconds of the newest answer that is shown in place of one that failed. */
  asOfMs: number;
}

/** Of everything that is on the page. */
export function createStalenessStore(queries: QueryCache) {
  let last: Staleness | null = null;
  return {
    // Queries tell of themselves while the page renders, too: whoever listens is told afterwards.
    subscribe: (listener: () => void) => queries.subscribe(notifyManager.batchCalls(listener)),
    /** Null where nothing is stale; the same object as long as it says the same. */
    get(): Staleness | null {
      const now = stalenessOf(queries);
      if (now?.asOfMs !== last?.asOfMs || now?.isOutage !== last?.isOutage) last = now;
      return last;
    },
  };
}

function stalenessOf(queries: QueryCache): Staleness | null {
  const stale = queries
    .findAll({ type: "active" })
    .filter(({ state }) => state.status === "error" && state.data !== undefined);
  if (stale.length === 0) return null;
  return {
    isOutage: stale.some(({ state }) => statusOf(state.error) === null),
    asOfMs: Math.max(...stale.map(({ state }) => state.dataUpdatedAt)),
  };
}

export function useStaleness(): Staleness | null {
  const queries = useQueryClient().getQueryCache();
  const store = useMemo(() => createStalenessStore(queries), [queries]);
  return useSyncExternalStore(store.subscribe, store.get);
}
