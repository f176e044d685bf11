import { useQueryClient } from "@tanstack/react-query";
import type { HealthState, Mode, PaymentMethod } from "../../../domain/vocabulary/vocabulary.js";
import { DRILLS_KEY } from "./drill-pages.js";
import { pinnedAfter } from "./pin-history.js";
import { useAction } from "../transport/action.js";
import { useRead } from "../transport/read.js";
import { request } from "../transport/request.js";
import type { AuditEntry, AuditLog, Pin, ProviderOverrides } from "../wire-types.js";

const PAGE_SIZE = 100;
const PAGES_MAX = 10;
const PINS = ["provider-pins"];

/** The scope of a drill. Null matches every value. */
export type PinScope = Pick<Pin, "payment_method" | "currency" | "mode">;

export interface KnownPins {
  byProvider: ReadonlyMap<string, readonly KnownPin[]>;
  /** True if only the newest entries of the audit trail were read. Drills that began earlier are then missing. */
  isPartial: boolean;
}

export interface KnownPin extends PinScope {
  state: HealthState;
  /** From 0 to 100. Null if the audit trail has no score. The default score of the state then applies. */
  score: number | null;
  /** ISO 8601. Absent if the drill has no expiry. */
  expires_at?: string;
  /**
   * The user who started the drill (`usr_…`), and the time in ISO 8601. Both are absent until the audit trail is read
   * again.
   */
  by?: string;
  since?: string;
}

/**
 * The current pins. The service has no list of all pins: it returns only the pins of the provider that was just
 * changed. The first list is therefore replayed from the audit trail. Each later change updates it.
 */
export function useProviderPins(isEnabled = true) {
  return useRead({
    queryKey: PINS,
    queryFn: async ({ signal }): Promise<KnownPins> => {
      const entries: AuditEntry[] = [];
      for (let page = 0; page < PAGES_MAX; page++) {
        const after = entries.at(-1)?.audit_id;
        const query = { page_size: PAGE_SIZE, starting_after: after };
        // The pages load in sequence, because each request needs the last entry of the previous page.
        const found = await request<AuditLog>("GET", "/v1/admin/audit-log", { query, signal });
        entries.push(...found.entries);
        if (!found.has_more) return pinsOf(entries, false);
      }
      return pinsOf(entries, true);
    },
    staleTime: 30_000,
    enabled: isEnabled,
  });
}

function pinsOf(entries: readonly AuditEntry[], isPartial: boolean): KnownPins {
  return { byProvider: pinnedAfter(entries, Date.now()), isPartial };
}

export interface PinChange {
  provider: string;
  /** Null lifts the pin. */
  state: HealthState | null;
  score?: number;
  payment_method: PaymentMethod | null;
  currency: string | null;
  mode?: Mode;
  /** ISO 8601. Absent if the drill has no expiry. */
  expires_at?: string;
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
      // The next read of the trail adds who started the drill.
      return Promise.all([
        queries.invalidateQueries({ queryKey: PINS }),
        queries.invalidateQueries({ queryKey: [DRILLS_KEY] }),
        queries.invalidateQueries({ queryKey: ["provider-health"] }),
        queries.invalidateQueries({ queryKey: ["drilled-providers"] }),
      ]);
    },
  });
}
