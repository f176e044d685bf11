import { createPricingBodyParser } from "../features/pricing/wire/pricing-schema.js";
import type { Route } from "../path/front/route.js";
import { listPricingRoute } from "../features/pricing/routes/list-pricing.js";
import { uploadPricingRoute } from "../features/pricing/routes/upload-pricing.js";
import type { ApplyChangesNow } from "../path/changes/change-queries.js";
import { createPricingStore } from "../features/pricing/service.js";
import type { TenantDb } from "../platform/postgres/tenant-db.js";
import type { Settings } from "../platform/settings/settings.js";
import type { Logger } from "../platform/telemetry/logger.js";
import { now } from "../platform/timing/clock.js";

export interface PricingRouteParts {
  tenants: TenantDb;
  log: Logger;
  applyChangesNow: ApplyChangesNow;
  settings: Pick<Settings, "providers" | "patience" | "kept">;
  databaseIsReachable(): boolean;
  nextId(): string;
}

/** The routes of contract pricing. */
export function composePricingRoutes(parts: PricingRouteParts): Route[] {
  const { tenants, log, applyChangesNow, settings, nextId } = parts;
  const store = createPricingStore({
    tenants,
    isReachable: parts.databaseIsReachable,
    timeoutMs: settings.patience.databaseReadTimeoutMs,
    onError: (err, suppressed) => log.warn({ err, suppressed }, "pricing cannot be read or written"),
    nextId,
    applyChangesNow,
    kept: settings.kept,
    now,
  });
  const parse = createPricingBodyParser(settings.providers);
  return [
    uploadPricingRoute({ parse: (body) => parse(body, now()), upload: store.upload }),
    listPricingRoute(store.list),
  ];
}
