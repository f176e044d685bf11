import type { ObservedPrice } from "../../domain/pricing/observed-price.js";
import { createBoundedWork, type BoundedWorkOptions } from "../../platform/postgres/bounded-work.js";
import {
  findLivePrices,
  insertContract,
  type ContractToStore,
  type InsertedContract,
  type StoredContract,
} from "./queries/pricing.js";
import type { KeptLimits } from "../../domain/vocabulary/kept-limits.js";
import type { ApplyChangesNow } from "../../path/changes/change-queries.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

export interface PricingStoreOptions extends BoundedWorkOptions {
  tenants: TenantDb;
  /** The 26 characters of a new id. */
  nextId(): string;
  applyChangesNow: ApplyChangesNow;
  kept: KeptLimits;
  /** Unix milliseconds. */
  now(): number;
}

/** Each call answers `unavailable` when PostgreSQL does not answer; see bounded-work.ts. */
export interface PricingStore {
  /** `actor` is `key_…` or `usr_…`, for the audit trail. */
  upload(
    by: { workspaceId: string; actor: string },
    merchantId: string,
    contract: Omit<ContractToStore, "contractId">,
  ): Promise<(InsertedContract & { contractId: string }) | "unavailable">;
  /** Lists contracts in effect and scheduled. Null when the workspace has no such merchant. */
  list(
    workspaceId: string,
    merchantId: string,
  ): Promise<{ contracts: StoredContract[]; observed: ObservedPrice[] } | null | "unavailable">;
}

export function createPricingStore(options: PricingStoreOptions): PricingStore {
  const { tenants, nextId, now } = options;
  const within = createBoundedWork(options);
  return {
    async upload({ workspaceId, actor }, merchantId, contract) {
      const contractId = `prc_${nextId()}`;
      const author = { auditId: `aud_${nextId()}`, actor };
      const inserted = await within(() =>
        insertContract(
          tenants.of(workspaceId),
          workspaceId,
          merchantId,
          { ...contract, contractId },
          author,
          now(),
          options.kept,
        ),
      );
      if (inserted === "unavailable") return inserted;
      // The contract is stored even if this node has not copied it yet. The change feed then copies it.
      if (inserted.kind === "stored")
        await within(() => options.applyChangesNow([{ kind: "pricing", workspaceId, key: merchantId }]));
      return { ...inserted, contractId };
    },
    list: (workspaceId, merchantId) =>
      within(() => findLivePrices(tenants.of(workspaceId), workspaceId, merchantId, now())),
  };
}
