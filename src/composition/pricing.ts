import type { Pool } from "pg";
import { createPricingSync } from "../actors/pricing-sync.js";
import type { CoalescedRefresh } from "../actors/coalesced-refresh.js";
import { createPricingBodyParser } from "../api/pricing-schema.js";
import type { Route } from "../http/route.js";
import { listPricingRoute } from "../http/routes/list-pricing.js";
import { uploadPricingRoute } from "../http/routes/upload-pricing.js";
import { listPriceVersions, loadPrices } from "../persistence/pricing-queries.js";
import { createPricingStore } from "../persistence/pricing-store.js";
import type { TenantDb } from "../persistence/tenant-db.js";
import type { Replica } from "../replica/replica.js";
import { LIMITS } from "../shared/limits.js";
import type { Logger } from "../telemetry/logger.js";

export interface PricingParts {
  replica: Replica;
  log: Logger;
}

/** Copies prices from PostgreSQL to where decisions are made. */
export function composePricingSync({
  database,
  replica,
  log,
}: PricingParts & { database: Pool }): CoalescedRefresh {
  return createPricingSync({
    list: () => listPriceVersions(database),
    load: (versions) => loadPrices(database, versions, Date.now()),
    replica,
    onError: (error) => log.warn({ err: error }, "prices could not be refreshed"),
  });
}

export interface PricingRouteParts extends PricingParts {
  tenants: TenantDb;
  sync: CoalescedRefresh;
  providers: readonly string[];
  databaseIsReachable(): boolean;
  nextId(): string;
}

/** The routes of contract pricing. */
export function composePricingRoutes(parts: PricingRouteParts): Route[] {
  const { tenants, log, sync, providers, nextId } = parts;
  const store = createPricingStore({
    tenants,
    isReachable: parts.databaseIsReachable,
    timeoutMs: LIMITS.databaseReadTimeoutMs,
    onError: (error, untold) => log.warn({ err: error, untold }, "pricing cannot be read or written"),
    nextId,
    decideByNow: sync.refresh,
    now: Date.now,
  });
  const parse = createPricingBodyParser(providers);
  return [
    uploadPricingRoute({ parse: (body) => parse(body, Date.now()), upload: store.upload }),
    listPricingRoute(store.list),
  ];
}
