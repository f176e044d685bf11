import { useQueryClient } from "@tanstack/react-query";
import type { HealthState, PaymentMethod } from "../../domain/vocabulary/vocabulary.js";
import { pinnedAfter } from "./pin-history.js";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { AuditEntry, AuditLog, Pin, ProviderOverrides } from "./wire-types.js";

const PAGE_SIZE = 100;
const PAGES_MAX = 10;
const PINS = ["provider-pins"];

/** Where a drill holds; null stands for every one. */
export type PinScope = Pick<Pin, "payment_method" | "currency">;

export interface KnownPins {
  byProvider: ReadonlyMap<string, readonly KnownPin[]>;
  /** Of the newest entries of the trail alone: a drill that began before them is not seen. */
  isPartial: boolean;
}

export interface KnownPin extends PinScope {
  state: HealthState;
  /** 0..100; null where the trail does not say, and the state's own score holds. */
  score: number | null;
}

/**
 * What is pinned. The service tells it only of the provider that a drill changes, and has every change in its audit trail:
 * the trail is followed from there.
 */
export function useProviderPins() {
  return useRead({
    queryKey: PINS,
    queryFn: async ({ signal }): Promise<KnownPins> => {
      const entries: AuditEntry[] = [];
      for (let page = 0; page < PAGES_MAX; page++) {
        const after = entries.at(-1)?.audit_id;
        const query = { page_size: PAGE_SIZE, starting_after: after };
        // Each page is asked for by the end of the one before.
        // oxlint-disable-next-line no-await-in-loop
        const found = await request<AuditLog>("GET", "/v1/admin/audit-log", { query, signal });
        entries.push(...found.entries);
        if (!found.has_more) return { byProvider: pinnedAfter(entries), isPartial: false };
      }
      return { byProvider: pinnedAfter(entries), isPartial: true };
    },
    staleTime: 30_000,
  });
}

export interface PinChange {
  provider: string;
  /** null lifts. */
  state: HealthState | null;
  score?: number;
  payment_method: PaymentMethod | null;
  currency: string | null;
}

/** PUT /v1/admin/provider-overrides/:provider */
export function useChangePin() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: ({ provider, ...body }: PinChange) =>
      request<ProviderOverrides>("PUT", `/v1/admin/provider-overrides/${encodeURIComponent(provider)}`, {
        body,
      }),
    onSuccess({ provider, overrides }) {
      queries.setQueryData<KnownPins>(PINS, (known) =>
        known === undefined
          ? undefined
          : { ...known, byProvider: new Map(known.byProvider).set(provider, overrides) },
      );
      return queries.invalidateQueries({ queryKey: ["provider-health"] });
    },
  });
}
