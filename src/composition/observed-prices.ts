import type { Pool } from "pg";
import { observePrices, type PriceObserver } from "../features/pricing/price-observer.js";
import {
  dropOldFees,
  listFeeOwners,
  refitObservedPrices,
} from "../features/pricing/queries/observed-price.js";
import type { TenantDb } from "../platform/postgres/tenant-db.js";
import { TUNING } from "../domain/vocabulary/tuning.js";
import type { Logger } from "../platform/telemetry/logger.js";

/** Fits observed prices to the fees in webhooks. Stored prices reach every node in the same way as contracts. */
export function composePriceObserver(
  database: Pool,
  tenants: TenantDb,
  databaseIsReachable: () => boolean,
  log: Logger,
): PriceObserver {
  const whileReachable = <T>(work: () => Promise<T>): Promise<T> =>
    databaseIsReachable() ? work() : Promise.reject(new Error("PostgreSQL is away"));
  return observePrices({
    owners: () => whileReachable(() => listFeeOwners(database)),
    refit: (owner) =>
      whileReachable(async () => {
        const tenant = tenants.of(owner.workspaceId);
        await refitObservedPrices(tenant, owner);
        await dropOldFees(tenant, owner);
      }),
    intervalMs: TUNING.observedPriceIntervalMs,
    onError: (error) => {
      if (databaseIsReachable()) log.warn({ err: error }, "observed prices could not be fitted");
    },
  });
}
