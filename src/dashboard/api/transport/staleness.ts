import { notifyManager, useQueryClient, type QueryCache } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { statusOf } from "./problem.js";

/** Describes that the page shows data whose latest refresh failed. */
export interface Staleness {
  /** True when the service did not answer at all. False when it answered with an error. */
  isOutage: boolean;
  /** Unix milliseconds of the newest answer that is still shown although a refresh failed. */
  asOfMs: number;
}

/** Watches all data on the page. */
export function createStalenessStore(queries: QueryCache) {
  let last: Staleness | null = null;
  return {
    // Queries notify even while the page renders, so listeners are called afterwards.
    subscribe: (listener: () => void) => queries.subscribe(notifyManager.batchCalls(listener)),
    /** Returns null if nothing is stale. The object stays the same as long as its values do. */
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
