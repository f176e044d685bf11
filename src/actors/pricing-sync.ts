import type { PriceVersions } from "../persistence/pricing-queries.js";
import type { MerchantPrices } from "../pricing/merchant-pricing.js";
import { PRICE_VERSION_PREFIX, pricesKey, priceVersionKey, type Replica } from "../replica/replica.js";
import { createCoalescedRefresh, type CoalescedRefresh } from "./coalesced-refresh.js";

export interface PricingSyncOptions {
  /** The newest versions of every merchant that has prices. */
  list(): Promise<PriceVersions[]>;
  load(versions: PriceVersions): Promise<Omit<MerchantPrices, "version">>;
  replica: Pick<Replica, "refresh" | "read" | "putCatalog" | "replaceCatalog">;
  onError(error: unknown): void;
}

/** Keeps the replica's prices in step with PostgreSQL. Only what has another version than the replica is loaded. */
export function createPricingSync({ list, load, replica, onError }: PricingSyncOptions): CoalescedRefresh {
  return createCoalescedRefresh(async () => {
    const newest = await list();
    const entries = newest.map((versions) => ({
      key: priceVersionKey(versions.workspaceId, versions.merchantId),
      value: `${versions.contractVersion}.${versions.observedVersion}`,
    }));
    replica.refresh();
    for (const [position, versions] of newest.entries()) {
      const { key, value } = entries[position] as (typeof entries)[number];
      if (replica.read(key) === JSON.stringify(value)) continue;
      // One merchant at a time: a contract may hold a mebibyte.
      const prices: MerchantPrices = { version: value, ...(await load(versions)) };
      replica.putCatalog([
        { key: pricesKey(versions.workspaceId, versions.merchantId), value: prices },
        { key, value },
      ]);
    }
    replica.replaceCatalog([PRICE_VERSION_PREFIX], entries);
  }, onError);
}
