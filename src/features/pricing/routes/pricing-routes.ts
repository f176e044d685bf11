import type { Route } from "../../../path/front/route.js";
import { createPricingBodyParser } from "../wire/pricing-schema.js";
import { listPricingRoute } from "./list-pricing.js";
import { uploadPricingRoute } from "./upload-pricing.js";
import { createPricingStore, type PricingStoreOptions } from "../service.js";

export interface PricingRoutesParts extends PricingStoreOptions {
  providers: readonly string[];
}

/** The routes for contract prices. */
export function pricingRoutes(parts: PricingRoutesParts): Route[] {
  const { providers, now } = parts;
  const store = createPricingStore(parts);
  const parse = createPricingBodyParser(providers);
  return [
    uploadPricingRoute({ parse: (body) => parse(body, now()), upload: store.upload }),
    listPricingRoute(store.list),
  ];
}
