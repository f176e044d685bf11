import { createPricingBodyParser } from "../api/pricing-schema.js";
import type { Route } from "../http/route.js";
import { listPricingRoute } from "../http/routes/list-pricing.js";
import { uploadPricingRoute } from "../http/routes/upload-pricing.js";
import type { GoByNow } from "../persistence/change-queries.js";
import { createPricingStore } from "../persistence/pricing-store.js";
import type { TenantDb } from "../persistence/tenant-db.js";
import { LIMITS } from "../shared/limits.js";
import type { Logger } from "../telemetry/logger.js";

export interface PricingRouteParts {
  tenants: TenantDb;
  log: Logger;
  goByNow: GoByNow;
  providers: readonly string[];
  databaseIsReachable(): boolean;
  nextId(): string;
}

/** The routes of contract pricing. */
export function composePricingRoutes(parts: PricingRouteParts): Route[] {
  const { tenants, log, goByNow, providers, nextId } = parts;
  const store = createPricingStore({
    tenants,
    isReachable: parts.databaseIsReachable,
    timeoutMs: LIMITS.databaseReadTimeoutMs,
    onError: (error, untold) => log.warn({ err: error, untold }, "pricing cannot be read or written"),
    nextId,
    goByNow,
    now: Date.now,
  });
  const parse = createPricingBodyParser(providers);
  return [
    uploadPricingRoute({ parse: (body) => parse(body, Date.now()), upload: store.upload }),
    listPricingRoute(store.list),
  ];
}
